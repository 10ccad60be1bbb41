// What an answer tells beside its own matter: notices, and starts whose answer was lost.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "jobs/front_end.hpp"

namespace bgshell::jobs {

// Everything that is untold to the caller and not on its way in another answer.
boost::asio::awaitable<NoticeBlock> notice_block(FrontEnd& front, Caller caller);

}  // namespace bgshell::jobs
