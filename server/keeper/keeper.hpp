// Keeper: the control thread of the per-job program: its connections, its signals, and its job.
// Never touches the file system while a job runs.
#pragma once

#include <poll.h>

#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "keeper/adoption.hpp"
#include "keeper/growth_pacer.hpp"
#include "keeper/messages.hpp"
#include "keeper/peer.hpp"
#include "keeper/running_job.hpp"
#include "platform/clock.hpp"
#include "platform/unique_fd.hpp"

namespace bgshell::keeper {

class Keeper {
  public:
    // `birth` is the birth socket, `signals` a non-blocking signalfd of SIGCHLD, SIGTERM and
    // SIGHUP, `capture` is at rest.
    Keeper(platform::UniqueFd birth, platform::UniqueFd signals, std::unique_ptr<Capture> capture);
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;

    // Returns when the birth socket closes without a `start`, or when nothing is left of the job
    // and its last record is written.
    void run();

  private:
    // Descriptors that live as long as the job: its directory, and the lock that says we live.
    struct JobFiles {
        platform::UniqueFd directory;
        platform::UniqueFd lock;
    };

    void poll_once();
    void take_signals();
    void accept_peers();
    void receive_from(Peer& peer);
    void on_packet(Peer& peer, platform::Packet packet);
    void on(Peer& peer, const Hello& hello);
    void on(Peer& peer, const Start& start);
    void on(Peer& peer, const Subscribe& subscribe);
    void on(Peer& peer, Write& write);
    void on(Peer& peer, const Eof& eof);
    void on(Peer& peer, const Limit& limit);
    void on(Peer& peer, const Cancel& cancel);
    void on(Peer& peer, const Adopt& adopt);
    void on(Peer& peer, const Release& release);
    void start_job(Peer& peer, std::vector<platform::UniqueFd> descriptors);
    void drop_broken();
    void check_adoption();
    void tell_news();
    void tell_growth();
    [[nodiscard]] std::optional<platform::Instant> wake() const;
    [[nodiscard]] bool done();
    void say_goodbye();

    platform::SystemClock clock_;
    platform::UniqueFd signals_;
    platform::UniqueFd listener_;
    JobFiles files_;
    std::unique_ptr<Capture> capture_;  // until a job takes it
    std::unique_ptr<RunningJob> job_;   // before its files
    Adoption adoption_{platform::Milliseconds{0}};
    GrowthPacer pacer_;
    std::list<Peer> peers_;
    std::uint64_t next_peer_ = 1;
    bool host_stops_ = false;
    bool start_failed_ = false;
    std::optional<platform::Instant> leave_at_;
    std::vector<pollfd> polls_;
};

}  // namespace bgshell::keeper
