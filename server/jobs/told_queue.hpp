// ToldQueue: what callers have been told, on its way to the registry. It waits a moment for more,
// because a transaction for each answer would be a third of what a short job costs the registry,
// and because the call that shows what was told must not wait behind it. Nobody here reads it back:
// notices and looks of ours are in memory. A front end that is killed in that moment tells it
// again. Loop thread only.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "keeper/job_state.hpp"
#include "platform/task_scope.hpp"
#include "store/notice.hpp"
#include "store/store.hpp"

namespace bgshell::jobs {

class ToldQueue {
  public:
    struct ToldNotice {
        keeper::JobId job;
        store::NoticeKind kind{};
    };

    // `owner` is whose notices they are.
    ToldQueue(boost::asio::any_io_executor executor, store::Store& store,
              platform::TaskScope& tasks, std::string owner);

    void add(ToldNotice notice);
    void add(store::Seen seen);
    // Hands over what still waits; for a front end that leaves.
    void write_now();

  private:
    void write_soon();
    boost::asio::awaitable<void> pause_and_write();

    boost::asio::any_io_executor executor_;
    store::Store& store_;
    platform::TaskScope& tasks_;
    const std::string owner_;
    std::vector<ToldNotice> notices_;
    std::vector<store::Seen> seen_;
};

}  // namespace bgshell::jobs
