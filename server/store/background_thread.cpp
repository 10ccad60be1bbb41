#include "store/background_thread.hpp"

namespace bgshell::store {

BackgroundThread::BackgroundThread()
    : idle_{loop_.get_executor()}, thread_{[this] { loop_.run(); }} {}

BackgroundThread::~BackgroundThread() {
    join();
}

void BackgroundThread::join() {
    idle_.reset();
    if (thread_.joinable()) thread_.join();
}

}  // namespace bgshell::store
