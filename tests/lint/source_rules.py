"""What our C++ may not contain, one rule a row. Each row brings the examples that prove it.

Patterns see code whose comments and string literals were blanked (line breaks kept)."""

import re

STATEMENT = r"[^;]*?"  # up to the end of a statement, lambda bodies left aside


class Rule:
    def __init__(self, name, pattern, why, bad, good, only=r"", but=r"$^"):
        self.name = name
        self.pattern = re.compile(pattern, re.S)
        self.why = why
        self.bad = bad
        self.good = good
        self.only = re.compile(only)  # files it speaks of, below the repository's top
        self.but = re.compile(but)  # files it does not


RULES = [
    Rule("detached", r"\basio::detached\b|\bnet::detached\b", "a coroutine nobody joins",
         ["asio::co_spawn(e, f(), boost::asio::detached);"], ["row.detached = true;"]),
    Rule("co_spawn", r"\bco_spawn\b", "coroutines are started through a scope that joins them",
         ["asio::co_spawn(e, run(), handler);"], ["scope.spawn(run());"],
         only=r"server/", but=r"server/platform/task_scope\.\wpp"),
    Rule("co_await-lambda",
         r"\bco_await\b[^;{}]*[(,]\s*\[[^\]]+\]\s*(?:\([^)]*\)|mutable|noexcept|->[^{]*|\s)*\{",
         "g++ 12 miscompiles a capturing lambda inside a co_await expression: name it first",
         ["co_await run([this] { return 1; });", "co_await store.run([id](Opened& o) { return o; });"],
         ["co_await run([] { return 1; });", "auto w = [id] { return id; };\nco_await run(std::move(w));",
          "co_await wait(values[i]);"]),
    Rule("co_await-aggregate", r"\bco_await\b[^;{}]*[(,]\s*(?:[\w:]+(?:<[^;{}]*>)?\s*)?\{\s*\.\w+\s*=",
         "g++ 12 miscompiles an aggregate temporary in a co_await argument: name it first",
         ["co_await start({.a = s});", "co_await start(Request{.a = s});"],
         ["Request r{.a = s};\nco_await start(std::move(r));"]),
    Rule("co_await-braced", r"\bco_await\b[^;{}]*[(,]\s*\{[^;{}]*[^;{}\s][^;{}]*\}\s*[,)]",
         "g++ 12 does not compile or miscompiles a braced argument of co_await: name it first",
         ["co_await f({s, s});"], ["co_await f(s, s);", "if (co_await f(s)) { g(); }"]),
    Rule("co_await-in-braces", r"[\w>]\s*\{[^;{}]*\bco_await\b[^;{}]*\}(?!\s*(?:else|catch)\b)",
         "g++ 12 miscompiles co_await inside a braced initialiser",
         ["Answer a{co_await f()};", "return Answer{1, co_await f()};"],
         ["if (x) { co_await f(); }", "auto a = co_await f();"]),
    Rule("co_await-ternary", r"\?(?!\?)[^;{}?]*\bco_await\b[^;{}]*:(?!:)|\?[^;{}]*:(?!:)[^;{}]*\bco_await\b",
         "g++ 12 miscompiles co_await in a conditional expression",
         ["auto v = c ? co_await x : y;", "auto v = c ? x : co_await y;"],
         ["auto v = co_await x;", "if (c) v = co_await x; else v = y;",
          "for (auto& x : xs) co_await x.f();"]),
    Rule("co_await-conditional-argument", r"\bco_await\b[^;{}]*[(,][^;{}]*\?[^;{}]*(?<!:):(?!:)",
         "g++ 12 evaluates both sides of a conditional in the argument of a co_await: name it first",
         ["co_await wait_until(c ? a.value() : b);"],
         ["const auto next = c ? a.value() : b;\nco_await wait_until(next);",
          "auto v = co_await f(a::b, c::d);"]),
    Rule("co_await-twice", r"\bco_await\b[^;{}]*\bco_await\b", "one co_await per statement",
         ["auto v = co_await a && co_await b;", "f(co_await a, co_await b);"],
         ["auto v = co_await a;\nauto w = co_await b;", "auto r = co_await (a() || b());"]),
    Rule("co_await-switch", r"\bswitch\s*\(\s*co_await\b", "g++ 12 miscompiles switch (co_await ...)",
         ["switch (co_await f()) {"], ["auto v = co_await f();\nswitch (v) {"]),
    Rule("co_await-catch", r"\bcatch\s*\([^)]*\)\s*\{[^{}]*\bco_await\b",
         "no co_await in a catch block: note the error, leave, then wait",
         ["catch (const E& e) { co_await f(); }"], ["catch (const E& e) { failed = true; }\nco_await f();"]),
    Rule("coroutine-lambda", r"\[[^\]\s][^\]]*\]\s*\([^)]*\)\s*(?:mutable\s*)?->\s*[\w:]*awaitable<",
         "no coroutine lambdas with captures: write a named function",
         ["auto f = [this]() -> asio::awaitable<void> {"], ["auto f = []() -> asio::awaitable<void> {"]),
    Rule("view-parameter", r"\bawaitable<[^;{}]*?>\s+[\w:]+\([^;{}()]*\b(?:std::string_view|std::span<[^;{}()]*>)\s+\w+",
         "coroutines take parameters by value: a view may dangle across a suspension",
         ["asio::awaitable<void> f(std::string_view name);"], ["asio::awaitable<void> f(std::string name);",
          "std::string g(std::string_view s);"]),
    Rule("fork", r"(?<![\w.>:])(?:::)?(?:v?fork|system|popen|setenv|putenv|daemon)\s*\(",
         "posix_spawn only; the fork server is the one that forks",
         ["if (fork() == 0) {", "system(\"x\");"], ["platform::spawn(x);", "order.fork_count(1);"],
         only=r"server/", but=r"server/keeper/keeper_main\.cpp|server/platform/fork\w*\.cpp"),
    Rule("raw-close", r"(?<![\w.>:])::close\s*\(", "UniqueFd owns every descriptor",
         ["::close(fd);"], ["fd.reset();", "scope.close();"], only=r"server/",
         but=r"server/platform/"),
    Rule("poor-tools", r"\bstd::regex\b|\batoi\s*\(|\bstd::c(?:out|err|in)\b|\.detach\(\)|\bstrtok\s*\(",
         "std::regex, atoi, iostreams and detached threads are not used",
         ["std::cout << x;", "t.detach();", "n = atoi(s);"], ["job.detached()", "std::from_chars(a, b, n);"]),
    Rule("sleep", r"\bsleep_for\s*\(|(?<![\w.])(?:::)?u?sleep\s*\(|\bnanosleep\s*\(",
         "never sleep to synchronise", ["std::this_thread::sleep_for(1ms);", "usleep(10);"], ["auto sleeper = 1;"],
         only=r"server/|tests/unit/", but=r"server/keeper/"),
    Rule("loop-stop", r"\bio_context\b[^;]*\bstop\s*\(|\bloop_?\.stop\s*\(", "the loop ends when its scopes are closed",
         ["loop_.stop();"], ["acceptor.stop();"], only=r"server/", but=r"server/app/"),
]

# Text rules see the files as they are, whatever their kind.
_WORKPLACE = "|".join([r"/wor[k]/", r"/far[m]/", r"/tmp/w[t]\b", r"\.\./share[d]", r"[s]ubagent",
                       r"\"resolved\":\s*\"ht[t]p", r"registry\.npm[j]s", r"deb\.debia[n]\.org",
                       r"/root/\.[p]yenv", r"\b[Ii]ssue #?[0-9]+"])
TEXT_RULES = [
    Rule("workplace", _WORKPLACE, "names the machine it was written on",
         ["see /wor" + "k/main", "as in iss" + "ue 12"], ["it works", "the issue is"]),
    Rule("left-over", r"\b(?:TOD[O]|FIXM[E]|XX[X]|HAC[K])\b", "unfinished", ["// TO" + "DO: later"], ["// todo list"],
         only=r"server/|schemas/|tests/|examples/|README"),
]

# Names that say nothing about what is in the file.
EMPTY_NAMES = {"util", "utils", "helper", "helpers", "common", "misc", "base", "manager_impl", "stuff"}
MAX_LINES = 400


def blank(source):
    """`source` with comments and the insides of literals turned into blanks, lines kept."""
    token = re.compile(
        r'R"(?P<tag>\w*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)

    def replace(match):
        text = match.group(0)
        if text.startswith("/"):
            return re.sub(r"[^\n]", " ", text)
        if text.startswith("'") and re.match(r"\w", source[match.start() - 1: match.start()] or " "):
            return text  # a digit separator, as in 50'000
        return '"' + re.sub(r"[^\n]", " ", text[1:-1]) + '"'

    return token.sub(replace, source)
