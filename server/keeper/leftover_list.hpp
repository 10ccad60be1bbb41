// LeftoverList: the descendants that outlive the job's shell, and what becomes of each.
#pragma once

#include <vector>

#include "keeper/leftovers.hpp"
#include "keeper/messages.hpp"

namespace bgshell::keeper {

class LeftoverList {
  public:
    // What lives now. `stopped`: whoever has gone since the last look was ended by us. Returns
    // whether anything has changed.
    bool update(std::vector<LivingProcess> living, bool stopped);

    [[nodiscard]] Leftovers message() const;
    [[nodiscard]] bool empty() const noexcept { return living_.empty(); }
    // Of all that were ever on the list (at most 256 are kept); those that live count as survivors.
    [[nodiscard]] std::vector<AfterRecord::Fate> fates() const;

  private:
    std::vector<LivingProcess> living_;
    std::vector<AfterRecord::Fate> gone_;
};

}  // namespace bgshell::keeper
