#include "jobs/login_path_cache.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>

#include "platform/unique_fd.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace bgshell::jobs;
using bgshell::platform::WallTime;
using namespace std::chrono_literals;

const WallTime kAsked{1'700'000'000'000ms};

struct CacheFixture {
    LoginPathQuestion question;
    LoginPath answer;
    CacheFixture() {
        question.shell = "/bin/zsh";
        question.home = "/home/me";
        answer.path = "/home/me/bin:/usr/bin";
    }
    std::string bytes() const { return encode_login_path(question, answer, kAsked); }
};

TEST_CASE_FIXTURE(CacheFixture, "an answer is good for a day, a failure too") {
    for (const bool failed : {false, true}) {
        if (failed) {
            answer.path.reset();
            answer.failure = "did not answer";
        }
        CHECK(decode_login_path(bytes(), question, kAsked) == answer);
        CHECK(decode_login_path(bytes(), question, kAsked + 24h - 1ms) == answer);
        CHECK_FALSE(decode_login_path(bytes(), question, kAsked + 24h));
        CHECK_FALSE(decode_login_path(bytes(), question, kAsked - 1ms));  // the clock was set back
    }
}

TEST_CASE_FIXTURE(CacheFixture, "an answer belongs to its shell and home") {
    const std::string stored = bytes();
    LoginPathQuestion other = question;
    other.shell = "/bin/bash";
    CHECK_FALSE(decode_login_path(stored, other, kAsked));
    other = question;
    other.home = "/home/you";
    CHECK_FALSE(decode_login_path(stored, other, kAsked));
}

TEST_CASE_FIXTURE(CacheFixture, "a damaged file counts as absent") {
    const std::string stored = bytes();
    for (std::size_t length = 0; length < stored.size(); ++length) {
        CAPTURE(length);
        CHECK_FALSE(decode_login_path(stored.substr(0, length), question, kAsked));
    }
    CHECK_FALSE(decode_login_path(stored + "x", question, kAsked));
    std::string other_form = stored;
    other_form[0] = 2;
    CHECK_FALSE(decode_login_path(other_form, question, kAsked));
    answer.path.reset();
    CHECK_FALSE(decode_login_path(bytes(), question, kAsked));  // neither an answer nor a failure
    answer.path = "/x";
    answer.failure = "y";
    CHECK_FALSE(decode_login_path(bytes(), question, kAsked));
}

TEST_CASE_FIXTURE(CacheFixture, "the file in the state directory") {
    const bgshell::test::TemporaryDirectory place;
    const bgshell::platform::UniqueFd directory{
        ::open(place.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
    CHECK_FALSE(load_login_path(directory.get(), question, kAsked));
    CHECK_FALSE(save_login_path(directory.get(), question, answer, kAsked));
    CHECK(load_login_path(directory.get(), question, kAsked) == answer);
}

}  // namespace
