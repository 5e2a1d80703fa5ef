#include "base/descriptor.h"

#include <unistd.h>

namespace awdit {

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

}  // namespace awdit
