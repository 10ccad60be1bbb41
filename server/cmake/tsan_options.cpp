// Linked into every program of a ThreadSanitizer build.

extern "C" const char* __tsan_default_options();

// The first race ends the program, so that a test sees it in a keeper too: a keeper has neither a
// terminal to print to nor an environment to take options from.
extern "C" const char* __tsan_default_options() {
    return "halt_on_error=1";
}
