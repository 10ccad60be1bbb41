// Offers: what answers tell, until it is known that they arrived. No I/O, no clock.
//
// A notice (or a look) is *untold* until an answer offers it, *offered* while that answer is on its
// way, and *told* when the same caller calls again after the answer was written. An answer that was
// lost makes it untold again; the next offer of it is marked `again` and final: told once written.
// A start whose answer was lost is named by every answer until one of them was told. Looks move
// when told.
//
//            open              written + call_arrived
//   untold ────────▶ offered ──────────────────────────▶ told
//      ▲                │ lost (also after written)        ▲
//      └────────────────┘           second open, written ──┘
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "jobs/outcomes.hpp"

namespace bgshell::jobs {

// A caller has been shown `job` up to this offset of its log, or the end of this search of it.
struct LookMove {
    JobId job;
    std::uint64_t to = 0;
    std::optional<Searched> search{};
    friend bool operator==(const LookMove&, const LookMove&) = default;
};

// Numbers of notices are those of the NoticeBoard; a caller is Caller::key().
class Offers {
  public:
    struct Content {
        std::vector<std::int64_t> notices;
        // Told as soon as the answer is written: the end of a job that this answer's own start ran.
        std::vector<std::int64_t> complete;
        std::vector<LookMove> looks;
        std::optional<JobId> started;
    };
    struct Told {
        std::vector<std::int64_t> notices;
        std::vector<LookMove> looks;
        [[nodiscard]] bool empty() const noexcept { return notices.empty() && looks.empty(); }
    };
    enum class Standing : std::uint8_t { untold, untold_again, offered };

    // Closes an answer. Takes along the starts that `lost_starts` gave for it.
    OfferId open(const std::string& caller, Content content);
    // The answer was wholly written. Unknown numbers are ignored, also below.
    [[nodiscard]] Told written(OfferId offer);
    // The answer never arrived, or its request was cancelled after it was written.
    void lost(OfferId offer);
    // A call of `caller` has arrived: what was written to it before is told.
    [[nodiscard]] Told call_arrived(const std::string& caller);

    // Where a notice stands that has not been told.
    [[nodiscard]] Standing standing(std::int64_t notice) const;
    // The start of `job` will never be answered.
    void start_cut_off(const std::string& caller, JobId job) {
        lose(caller, {std::move(job), false});
    }
    // A start whose answer is not known to have been read.
    struct LostStart {
        JobId job;
        bool answered = false;  // the answer was written, but then the call was cancelled
        friend bool operator==(const LostStart&, const LostStart&) = default;
    };
    // Starts of `caller` whose answer was lost, to be named in the answer that is being made: the
    // oldest kNamedStarts; the others wait for the next one.
    static constexpr std::size_t kNamedStarts = 5;
    [[nodiscard]] std::vector<LostStart> lost_starts(const std::string& caller);

  private:
    struct Offer {
        std::string caller;
        Content content;
        std::vector<LostStart> lost_starts;  // named by this answer
        bool written = false;
    };
    struct NoticeOffers {
        std::uint32_t made = 0;
        OfferId open = 0;  // 0: none is on its way
    };
    struct WaitingStart {
        LostStart start;
        bool named = false;  // in the answer that is being made
    };

    void lose(const std::string& caller, LostStart start);
    void tell(std::int64_t notice, Told& told);

    OfferId last_ = 0;
    std::map<OfferId, Offer> offers_;                         // in the order of their making
    std::unordered_map<std::int64_t, NoticeOffers> notices_;  // offered at least once, not yet told
    std::unordered_map<std::string, std::vector<WaitingStart>> lost_starts_;
};

}  // namespace bgshell::jobs
