#include "server/free_port.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <system_error>

#include "base/descriptor.h"

namespace awdit {

Result<unsigned> free_port() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = 0;  // the kernel chooses
  socklen_t length = sizeof(address);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  const Descriptor handle(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!handle.good() || bind(handle.number(), generic, length) != 0 ||
      getsockname(handle.number(), generic, &length) != 0) {
    return Error{.message = "no free port on 127.0.0.1: " +
                            std::generic_category().message(errno)};
  }
  return static_cast<unsigned>(ntohs(address.sin_port));
}

}  // namespace awdit
