#include "store/store.hpp"

#include "platform/clock.hpp"
#include "store/settle.hpp"

namespace bgshell::store {

Store::Store(std::string path, bool allow_network)
    : path_{std::move(path)}, allow_network_{allow_network} {}

Store::~Store() {
    if (worker_) worker_->join();
}

void Store::on_failure(std::function<void(const Error&)> handler) {
    failure_ = std::move(handler);
}

boost::asio::thread_pool& Store::worker() {
    if (!worker_) worker_.emplace(1);
    return *worker_;
}

Result<Store::Opened*> Store::opened() {
    if (opened_) return &*opened_;
    auto state = StateDirectory::open(path_, allow_network_);
    if (!state) return state.error();
    Registry::Options options;
    options.network = allow_network_;
    auto registry = Registry::open(state->registry_path(), options);
    if (!registry) return registry.error();
    // File times are compared with now, so this is the system's clock and no other.
    auto taken = take_in(*state, **registry, platform::SystemClock{}.wall());
    if (!taken) return taken.error();
    if (auto buried = bury_owners(*state, **registry); !buried) return buried.error();
    return &opened_.emplace(Opened{std::move(*state), std::move(*registry)});
}

}  // namespace bgshell::store
