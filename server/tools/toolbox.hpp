// Toolbox: the six tools over the job manager.
//
// Every call takes the same way: arguments are read by the tool's schema, the manager does the
// work, the outcome is rendered together with what the caller has not been told yet, made to fit
// the size of an answer, and offered.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "jobs/job_manager.hpp"
#include "tools/client_profile.hpp"
#include "tools/definitions.hpp"
#include "tools/draft.hpp"
#include "tools/schema_reader.hpp"
#include "tools/tool_set.hpp"

namespace bgshell::tools {

class Toolbox final : public ToolSet {
  public:
    // `manager` and `clock` must outlive it.
    Toolbox(jobs::JobManager& manager, const platform::Clock& clock, ToolSettings settings);

    [[nodiscard]] const std::vector<ToolDefinition>& definitions() const override;
    [[nodiscard]] std::string instructions() const override;
    void call_arrived(const jobs::Caller& caller) override;
    boost::asio::awaitable<CallResult> call(std::string name, boost::json::object arguments,
                                            CallContext& context) override;
    void written(jobs::OfferId offer) override;
    void lost(jobs::OfferId offer) override;

  private:
    struct Call;
    [[nodiscard]] Tool tool_of(const std::string& name) const;
    [[nodiscard]] Manner manner_of(const ClientProfile& profile) const;

    boost::asio::awaitable<Draft> run(Call& call);
    boost::asio::awaitable<Draft> start(Call& call);
    boost::asio::awaitable<Draft> await(Call& call);
    boost::asio::awaitable<Draft> output(Call& call);
    boost::asio::awaitable<Draft> send(Call& call);
    boost::asio::awaitable<Draft> cancel(Call& call);
    boost::asio::awaitable<Draft> list(Call& call);
    [[nodiscard]] CallResult finish(const Call& call, const Draft& draft,
                                    const jobs::NoticeBlock& notices);

    jobs::JobManager& manager_;
    const platform::Clock& clock_;
    ToolSettings settings_;
    std::vector<ToolDefinition> definitions_;
    std::vector<SchemaReader> readers_;  // in the order of Tool
    LearnedCeilings ceilings_;
    std::map<std::string, HintCount> hints_;  // by owner
};

}  // namespace bgshell::tools
