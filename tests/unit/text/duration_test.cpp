#include "text/duration.hpp"

#include <doctest/doctest.h>

using bgshell::text::format_duration;
using std::chrono::milliseconds;

TEST_CASE("durations read as a person would say them") {
    struct Row {
        std::int64_t ms;
        const char* text;
    };
    for (const Row& row : {Row{0, "0 s"},
                           Row{-5, "0 s"},
                           Row{1, "0.1 s"},
                           Row{49, "0.1 s"},
                           Row{151, "0.2 s"},
                           Row{949, "0.9 s"},
                           Row{999, "1 s"},
                           Row{2000, "2 s"},
                           Row{41'300, "41.3 s"},
                           Row{59'949, "59.9 s"},
                           Row{59'950, "1 min"},
                           Row{60'999, "1 min"},
                           Row{190'000, "3 min 10 s"},
                           Row{352'900, "5 min 52 s"},
                           Row{1'800'000, "30 min"},
                           Row{3'599'999, "59 min 59 s"},
                           Row{3'600'000, "1 h"},
                           Row{7'459'000, "2 h 4 min"},
                           Row{86'400'000, "24 h"},
                           Row{360'000'000, "100 h"}}) {
        CAPTURE(row.ms);
        CHECK(format_duration(milliseconds{row.ms}) == row.text);
    }
}
