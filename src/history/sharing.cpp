// A history in the columns of another one. Some functions consume a history
// because that copies nothing (convert/convert.h, without_session_order); who
// gave theirs to several readers hands out views of it instead.
// Invariant: the new history keeps the old one, and with it its bytes.
#include <utility>

#include "history/history.h"

namespace awdit {
namespace {

template <typename T>
void lie_in(Array<T>& column, const Array<T>& whole) {
  column = Array<T>::view(whole);
}

}  // namespace

History History::sharing(std::shared_ptr<const History> whole) {
  const History& of = *whole;
  History history;
  history.sessions_ = of.sessions_;
  history.txns_ = of.txns_;
  history.ops_ = of.ops_;
  history.keys_ = of.keys_;
  lie_in(history.session_first_txn_, of.session_first_txn_);
  lie_in(history.session_bits_, of.session_bits_);
  lie_in(history.session_kind_, of.session_kind_);
  lie_in(history.session_position_, of.session_position_);
  lie_in(history.txn_ops_, of.txn_ops_);
  lie_in(history.txn_session_, of.txn_session_);
  lie_in(history.txn_status_, of.txn_status_);
  lie_in(history.txn_label_, of.txn_label_);
  lie_in(history.txn_times_, of.txn_times_);
  lie_in(history.txn_ticks_, of.txn_ticks_);
  lie_in(history.txn_node_, of.txn_node_);
  lie_in(history.txn_meta_, of.txn_meta_);
  lie_in(history.txn_line_, of.txn_line_);
  lie_in(history.txn_domain_, of.txn_domain_);
  lie_in(history.input_order_, of.input_order_);
  lie_in(history.op_word_, of.op_word_);
  history.op_value_ = WordColumn::view(of.op_value_);
  lie_in(history.op_value_kind_, of.op_value_kind_);
  lie_in(history.op_line_, of.op_line_);
  lie_in(history.list_first_, of.list_first_);
  history.elements_ = WordColumn::view(of.elements_);
  lie_in(history.element_kind_, of.element_kind_);
  lie_in(history.key_bits_, of.key_bits_);
  lie_in(history.key_kind_, of.key_kind_);
  history.strings_ = Texts::view(of.strings_);
  history.domains_ = of.domains_;
  history.initial_value_ = of.initial_value_;
  history.clock_ = of.clock_;
  history.labels_unique_ = of.labels_unique_;
  history.one_op_per_line_ = of.one_op_per_line_;
  history.has_unknown_ = of.has_unknown_;
  history.warnings_ = of.warnings_;
  history.about_ = of.about_;
  history.keeper_ = std::move(whole);
  return history;
}

}  // namespace awdit
