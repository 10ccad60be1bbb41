// PathProbe: the user's login PATH, asked for once: by the first start, which waits for it. What
// was asked less than a day ago, here or by another front end, is not asked again.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <optional>

#include "jobs/bell.hpp"
#include "jobs/login_path.hpp"
#include "jobs/settings.hpp"
#include "platform/clock.hpp"
#include "store/store.hpp"

namespace bgshell::jobs {

class PathProbe {
  public:
    // `store`, `settings` and `surroundings` outlive this.
    PathProbe(boost::asio::any_io_executor executor, store::Store& store, const Settings& settings,
              const Surroundings& surroundings, const platform::Clock& clock);

    // The answer, at once when it is known; a failure is an answer too. Empty where the setting is
    // off or there is no shell to ask.
    boost::asio::awaitable<LoginPath> get();

  private:
    using Kept = std::optional<LoginPath>;
    // Marks the question as being asked, also when the coroutine that asks is destroyed.
    struct Asking {
        explicit Asking(PathProbe& probe) : probe_{probe} { probe_.asking_ = true; }
        ~Asking() {
            probe_.asking_ = false;
            probe_.answered_.ring();
        }
        Asking(const Asking&) = delete;
        Asking& operator=(const Asking&) = delete;
        PathProbe& probe_;
    };
    boost::asio::awaitable<LoginPath> ask();

    boost::asio::any_io_executor executor_;
    store::Store& store_;
    const Settings& settings_;
    const Surroundings& surroundings_;
    const platform::Clock& clock_;
    bool asking_ = false;
    Bell answered_;
    std::optional<LoginPath> answer_;
};

}  // namespace bgshell::jobs
