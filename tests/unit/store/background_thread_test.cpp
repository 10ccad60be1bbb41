#include "store/background_thread.hpp"

#include <doctest/doctest.h>

#include <boost/asio/post.hpp>
#include <thread>
#include <vector>

using bgshell::store::BackgroundThread;

TEST_CASE("what is posted is done on one other thread, in order, before join returns") {
    BackgroundThread background;
    std::vector<int> done;
    std::vector<std::thread::id> threads;
    for (int i = 0; i < 3; ++i) {
        boost::asio::post(background.loop(), [&, i] {
            done.push_back(i);
            threads.push_back(std::this_thread::get_id());
            if (i == 2) boost::asio::post(background.loop(), [&] { done.push_back(3); });
        });
    }
    background.join();
    background.join();  // nothing is left to wait for
    CHECK(done == std::vector<int>{0, 1, 2, 3});
    REQUIRE(threads.size() == 3);
    CHECK(threads[0] != std::this_thread::get_id());
    CHECK(threads[0] == threads[1]);
    CHECK(threads[1] == threads[2]);
}
