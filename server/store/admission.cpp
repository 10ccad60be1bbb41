#include "store/admission.hpp"

#include <algorithm>

namespace bgshell::store {
namespace {

Result<AdmissionAnswer> slots_full(JobsTable& jobs, const std::string& owner, bool total) {
    auto rows = jobs.slot_holders(total ? std::nullopt : std::optional{owner});
    if (!rows) return rows.error();
    return AdmissionAnswer{SlotsFull{total, std::move(*rows)}};
}

Result<AdmissionAnswer> budget_full(JobsTable& jobs, const Admission& admission,
                                    std::uint64_t used_bytes) {
    auto candidates = jobs.removable(admission.row.spec.owner, kRemovableNamed);
    if (!candidates) return candidates.error();
    BudgetFull full;
    full.used_bytes = used_bytes;
    const auto wanted = used_bytes + admission.row.reserved_bytes;
    for (const auto& [job, bytes] : *candidates) {
        if (bytes == 0 || wanted <= admission.disk_budget_bytes + full.removable_bytes) break;
        full.removable.push_back(job);
        full.removable_bytes += bytes;
    }
    return AdmissionAnswer{std::move(full)};
}

}  // namespace

Result<AdmissionAnswer> decide(JobsTable& jobs, const Admission& admission) {
    const auto& spec = admission.row.spec;
    if (!spec.key.empty()) {
        auto taken = jobs.find_key(spec, admission.key_floor);
        if (!taken) return taken.error();
        if (*taken) {
            const bool same = (*taken)->argument_digest == admission.row.argument_digest;
            return AdmissionAnswer{KeyTaken{std::move(**taken), same}};
        }
    }

    auto usage = jobs.usage(spec.owner);
    if (!usage) return usage.error();
    if (usage->slots >= admission.slots) return slots_full(jobs, spec.owner, false);
    if (usage->slots_total >= admission.slots_total) return slots_full(jobs, spec.owner, true);

    const auto budget = admission.disk_budget_bytes;
    const auto available = budget > usage->disk_bytes ? budget - usage->disk_bytes : 0;
    const auto asked = admission.row.reserved_bytes;
    if (available < std::min(asked, admission.least_bytes) || (asked > 0 && available == 0)) {
        return budget_full(jobs, admission, usage->disk_bytes);
    }

    JobRow row = admission.row;
    row.reserved_bytes = std::min(asked, available);
    row.spec.output_limit_bytes = std::min(row.spec.output_limit_bytes, row.reserved_bytes);
    auto inserted = jobs.insert(row);
    if (!inserted) return inserted.error();
    if (!*inserted) {
        return Error{ErrorKind::database, "There is a job " + spec.id.text() + " already."};
    }
    return AdmissionAnswer{Admitted{row.reserved_bytes, usage->slots + 1}};
}

}  // namespace bgshell::store
