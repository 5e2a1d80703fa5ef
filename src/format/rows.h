// What each format file offers to the table. Private to format/.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "base/input.h"
#include "base/result.h"
#include "format/format.h"
#include "history/history.h"

namespace awdit {

bool sniff_plume(std::string_view head);
Result<History> parse_plume(std::span<const Input> files, unsigned threads);
void write_plume(const History& history, const NewFile& file);

bool sniff_awdit_test(std::string_view head);
Result<History> parse_awdit_test(std::span<const Input> files,
                                 unsigned threads);
void write_awdit_test(const History& history, const NewFile& file);

bool sniff_jepsen_edn(std::string_view head);
Result<History> parse_jepsen_edn(std::span<const Input> files,
                                 unsigned threads);
void write_jepsen_edn(const History& history, const NewFile& file);

bool sniff_elle_json(std::string_view head);
Result<History> parse_elle_json(std::span<const Input> files, unsigned threads);
void write_elle_json(const History& history, const NewFile& file);

bool sniff_dbcop(std::string_view head);
Result<History> parse_dbcop(std::span<const Input> files, unsigned threads);
void write_dbcop(const History& history, const NewFile& file);

bool sniff_dbcop_json(std::string_view head);
Result<History> parse_dbcop_json(std::span<const Input> files,
                                 unsigned threads);
void write_dbcop_json(const History& history, const NewFile& file);

bool sniff_dbcop_hist(std::string_view head);
Result<History> parse_dbcop_hist(std::span<const Input> files,
                                 unsigned threads);
void write_dbcop_hist(const History& history, const NewFile& file);

bool sniff_viper(std::string_view head);
Result<History> parse_viper(std::span<const Input> files, unsigned threads);
void write_viper(const History& history, const NewFile& file);

bool sniff_chronos(std::string_view head);
Result<History> parse_chronos(std::span<const Input> files, unsigned threads);
void write_chronos(const History& history, const NewFile& file);

bool sniff_cobra(std::string_view head);
Result<History> parse_cobra(std::span<const Input> files, unsigned threads);
void write_cobra(const History& history, const NewFile& file);

bool sniff_awdit_jsonl(std::string_view head);
Result<History> parse_awdit_jsonl(std::span<const Input> files,
                                  unsigned threads);
void write_awdit_jsonl(const History& history, const NewFile& file);
std::unique_ptr<Recording> record_awdit_jsonl(Sink& sink,
                                              const RecordingOptions& options);

bool sniff_awdit(std::string_view head);
Result<History> parse_awdit(std::span<const Input> files, unsigned threads);
void write_awdit(const History& history, const NewFile& file);
std::unique_ptr<Recording> record_awdit(Sink& sink,
                                        const RecordingOptions& options);

}  // namespace awdit
