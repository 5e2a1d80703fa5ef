// From a certificate back to the report it was made of. What the certificate
// does not hold (which transactions of unknown outcome count, how many reads
// were judged) follows from the history alone.
#include "witness/attribution.h"
#include "witness/witness.h"

namespace awdit {

Report report_of(const History& history, Certificate certificate) {
  Report report;
  report.levels = std::move(certificate.levels);
  const Attribution known = attribute_reads(history);
  for (const TxnId txn : history.txns()) {
    const bool counts = known.counts[txn.v] != 0;
    if (history.status(txn) == Status::unknown) {
      if (counts) {
        report.promoted.push_back(txn);
      } else {
        ++report.dropped;
      }
    }
    if (!counts) continue;
    for (const OpId op : history.ops(txn)) {
      if (!history.is_write(op)) ++report.reads;
    }
  }
  return report;
}

}  // namespace awdit
