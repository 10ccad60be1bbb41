#include "keeper/keeper.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "keeper/deadline.hpp"
#include "keeper/start_order.hpp"
#include "platform/memfd.hpp"

namespace bgshell::keeper {
namespace {

using platform::Instant;
using platform::Milliseconds;
using platform::UniqueFd;

constexpr std::size_t kMaxPeers = 64;
constexpr std::size_t kMaxOrder = 16 * 1024 * 1024;
constexpr std::size_t kStartDescriptors = 4;
// How long the last words wait for peers that do not read; what they miss is in the records.
constexpr Milliseconds kGoodbye{1000};

}  // namespace

Keeper::Keeper(UniqueFd birth, UniqueFd signals, std::unique_ptr<Capture> capture)
    : signals_{std::move(signals)}, capture_{std::move(capture)} {
    peers_.emplace_back(next_peer_++, Peer::Kind::birth, std::move(birth));
    peers_.back().adopter = true;
}

void Keeper::run() {
    while (!done()) {
        poll_once();
        take_signals();
        accept_peers();
        for (Peer& peer : peers_) receive_from(peer);
        drop_broken();
        if (job_) {
            check_adoption();
            job_->advance();
            tell_news();
            tell_growth();
        }
    }
    say_goodbye();
}

void Keeper::poll_once() {
    polls_.clear();
    polls_.push_back({.fd = signals_.get(), .events = POLLIN, .revents = 0});
    if (listener_ && peers_.size() < kMaxPeers) {
        polls_.push_back({.fd = listener_.get(), .events = POLLIN, .revents = 0});
    }
    for (const Peer& peer : peers_) {
        const int events = POLLIN | (peer.has_unsent() ? POLLOUT : 0);
        polls_.push_back({.fd = peer.fd(), .events = static_cast<short>(events), .revents = 0});
    }
    if (job_) job_->add_polls(polls_);
    const auto until = wake();
    const timespec timeout = until ? time_left(*until, clock_.now()) : timespec{};
    // Whoever was woken is looked at by everybody; an error could only be an interruption.
    (void)::ppoll(polls_.data(), polls_.size(), until ? &timeout : nullptr, nullptr);
}

std::optional<Instant> Keeper::wake() const {
    std::optional<Instant> earliest = adoption_.deadline();
    keep_earlier(earliest, pacer_.wake());
    keep_earlier(earliest, leave_at_);
    if (job_) keep_earlier(earliest, job_->wake());
    return earliest;
}

void Keeper::take_signals() {
    signalfd_siginfo info{};
    while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
        // SIGCHLD only had to wake us.
        if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGHUP) host_stops_ = true;
    }
    if (host_stops_ && job_) {
        host_stops_ = false;
        job_->stop({.state = JobState::cancelled, .reason = std::string{kHostStop}});
    }
}

void Keeper::accept_peers() {
    while (listener_ && peers_.size() < kMaxPeers) {
        auto socket = platform::seqpacket_accept(listener_.get());
        if (!socket) return;
        const auto user = platform::peer_user(socket->get());
        if (!user || *user != ::geteuid()) continue;
        peers_.emplace_back(next_peer_++, Peer::Kind::accepted, std::move(*socket));
    }
}

void Keeper::receive_from(Peer& peer) {
    peer.flush();
    // A few at a time, so that nobody keeps the others waiting.
    for (int packets = 0; packets < 16; ++packets) {
        auto packet = peer.receive();
        if (!packet) return;
        on_packet(peer, std::move(*packet));
    }
}

void Keeper::on_packet(Peer& peer, platform::Packet packet) {
    auto message = decode_to_keeper(packet.bytes);
    if (!message) return peer.break_off();
    const bool is_start = std::holds_alternative<Start>(*message);
    if (peer.greeted == std::holds_alternative<Hello>(*message)) return peer.break_off();
    if (is_start) return start_job(peer, std::move(packet.descriptors));
    // Before the start there is nothing else to talk about.
    if (!job_ && peer.greeted) return peer.break_off();
    std::visit([&](auto& value) { on(peer, value); }, *message);
}

void Keeper::on(Peer& peer, const Hello& hello) {
    if (hello.version < kOldestProtocolVersion) return peer.break_off();
    peer.greeted = true;
}

void Keeper::on(Peer& peer, const Start&) {
    peer.break_off();
}

void Keeper::start_job(Peer& peer, std::vector<UniqueFd> descriptors) {
    if (!peer.is_birth() || job_ || descriptors.size() != kStartDescriptors) {
        return peer.break_off();
    }
    const auto bytes = platform::read_memfd(descriptors[2].get(), kMaxOrder);
    const auto order = bytes ? decode_start_order(*bytes) : std::nullopt;
    if (!order) return peer.break_off();
    files_ = {.directory = std::move(descriptors[0]), .lock = std::move(descriptors[1])};

    const auto fail = [&](const platform::error_code& error, std::string what) {
        peer.send(StartFailed{.error = error.value(), .what = std::move(what)});
        start_failed_ = true;
    };
    auto listener = platform::seqpacket_listen(files_.directory.get(), "sock");
    if (!listener) return fail(listener.error(), "make the job's socket");
    listener_ = std::move(*listener);
    FromKeeper answer;
    job_ = RunningJob::start(*order, files_.directory.get(), descriptors[3].get(), clock_,
                             std::move(capture_), answer);
    adoption_ = Adoption{bounded_milliseconds(order->orphan_grace_ms)};
    adoption_.adopted();
    peer.subscribed = true;
    peer.knows({});
    peer.send(answer);
}

void Keeper::on(Peer& peer, const Subscribe&) {
    peer.subscribed = true;
    for (const FromKeeper& message : job_->present_state()) {
        if (const auto* level = std::get_if<Grew>(&message)) {
            (void)peer.send_level(*level);
        } else {
            peer.send(message);
        }
    }
    job_->want_growth();
}

void Keeper::on(Peer& peer, Write& write) {
    if (job_->input().waits_for(peer.number())) return peer.break_off();
    job_->input().write(peer.number(), std::move(write.bytes));
}

void Keeper::on(Peer& peer, const Eof&) {
    job_->input().end_of_file(peer.number());
}

void Keeper::on(Peer&, const Limit& limit) {
    job_->set_runtime_limit(bounded_milliseconds(limit.milliseconds));
}

void Keeper::on(Peer& peer, const Cancel& cancel) {
    job_->stop(
        {.state = JobState::cancelled, .reason = cancel.reason, .by_person = cancel.by_person},
        cancel.signal, Milliseconds{cancel.grace_ms}, peer.number());
}

void Keeper::on(Peer& peer, const Adopt&) {
    if (peer.adopter) return;
    peer.adopter = true;
    adoption_.adopted();
}

void Keeper::on(Peer& peer, const Release&) {
    if (!peer.adopter) return;
    peer.adopter = false;
    adoption_.released();
}

void Keeper::drop_broken() {
    std::erase_if(peers_, [&](const Peer& peer) {
        if (!peer.broken()) return false;
        if (peer.adopter && job_) adoption_.lost(clock_.now());
        return true;
    });
}

void Keeper::check_adoption() {
    const auto deadline = adoption_.deadline();
    if (!deadline || clock_.now() < *deadline) return;
    adoption_.expired();
    job_->stop({.state = JobState::cancelled, .reason = "session_end"});
}

void Keeper::tell_news() {
    for (auto& [to, message] : job_->take_announcements()) {
        for (Peer& peer : peers_) {
            if (to ? peer.number() == *to : peer.subscribed) peer.send(message);
        }
    }
    for (auto& [to, answer] : job_->input().take_answers()) {
        for (Peer& peer : peers_) {
            if (peer.number() == to) peer.send(answer);
        }
    }
}

void Keeper::tell_growth() {
    const Instant now = clock_.now();
    if (pacer_.holds(now)) return;
    const auto tell_all = [&] {
        const auto level = job_->level();
        const Grew message{.bytes_produced = level.produced, .bytes_stored = level.stored};
        bool all_know = true;
        for (Peer& peer : peers_) {
            if (peer.subscribed && !peer.send_level(message)) all_know = false;
        }
        return all_know;
    };
    if (std::ranges::none_of(peers_, &Peer::subscribed)) return pacer_.quiet();
    if (tell_all()) {
        // Asked for first, then looked again, so that no growth falls in between.
        job_->want_growth();
        if (tell_all()) return pacer_.quiet();
    }
    pacer_.told(now);
}

bool Keeper::done() {
    if (!job_) {
        const bool born = std::ranges::any_of(peers_, &Peer::is_birth);
        return !born || host_stops_ || start_failed_;
    }
    if (!job_->finished()) return false;
    if (!leave_at_) leave_at_ = clock_.now() + kGoodbye;
    return clock_.now() >= *leave_at_ || std::ranges::none_of(peers_, &Peer::has_unsent);
}

// A socket that is closed with packets unread makes the peer's next read an error, ahead of what we
// sent.
void Keeper::say_goodbye() {
    for (Peer& peer : peers_) {
        while (peer.receive()) {
        }
    }
}

}  // namespace bgshell::keeper
