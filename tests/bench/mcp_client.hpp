// McpClient: a bare client of a stdio server, as fast as the benchmark needs it: it writes lines
// and reads lines, and looks into an answer only for what a figure needs.
#pragma once

#include <cstdint>
#include <string>

#include "bench/measure.hpp"

namespace bench {

class McpClient {
  public:
    // Starts the server; `initialize` is the first thing to do.
    McpClient(const Arguments& argv, const Arguments& environment);
    // Closes the server's stdin and waits for its end.
    ~McpClient();
    McpClient(const McpClient&) = delete;
    McpClient& operator=(const McpClient&) = delete;

    void initialize();
    // Sends a request and gives the line that answers it. `arguments` is JSON.
    std::string request(const std::string& method, const std::string& params);
    std::string call(const std::string& tool, const std::string& arguments);
    // The two halves, to have several requests under way.
    std::uint64_t send(const std::string& method, const std::string& params);
    std::string receive();  // the next line, whatever it answers

    [[nodiscard]] pid_t pid() const noexcept { return pipes_.pid; }

  private:
    void write_line(const std::string& line);
    Pipes pipes_;
    std::uint64_t last_id_ = 0;
    std::string buffer_;
};

// The arguments of a tool call as params of tools/call.
[[nodiscard]] std::string call_params(const std::string& tool, const std::string& arguments);
// The job id that the text of an answer begins with.
[[nodiscard]] std::string job_id(const std::string& answer);
// The number after `word` in an answer, 0 if there is none.
[[nodiscard]] std::uint64_t number_after(const std::string& answer, const std::string& word);

}  // namespace bench
