// What each format file offers to the table. Private to format/.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "format/format.h"

namespace awdit {

// As Format has them.
using SniffFormat = bool(std::string_view head);
using ParseFormat = Result<History>(std::span<const Input> files,
                                    unsigned threads);
using WriteFormat = void(const History& history, const NewFile& file);
using RecordFormat =
    std::unique_ptr<Recording>(Sink& sink, const RecordingOptions& options);

SniffFormat sniff_plume, sniff_awdit_test, sniff_jepsen_edn, sniff_elle_json,
    sniff_dbcop, sniff_dbcop_json, sniff_dbcop_hist, sniff_viper, sniff_chronos,
    sniff_cobra, sniff_awdit_jsonl, sniff_awdit;
ParseFormat parse_plume, parse_awdit_test, parse_jepsen_edn, parse_elle_json,
    parse_dbcop, parse_dbcop_json, parse_dbcop_hist, parse_viper, parse_chronos,
    parse_cobra, parse_awdit_jsonl, parse_awdit;
WriteFormat write_plume, write_awdit_test, write_jepsen_edn, write_elle_json,
    write_dbcop, write_dbcop_json, write_dbcop_hist, write_viper, write_chronos,
    write_cobra, write_awdit_jsonl, write_awdit;
RecordFormat record_awdit_jsonl, record_awdit;

}  // namespace awdit
