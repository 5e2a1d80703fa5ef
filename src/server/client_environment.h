// What the user's environment says about other servers.
//
// PGSERVICE, PGREQUIREPEER, MYSQL_PWD and their like tell client libraries how
// to reach the user's own servers. A server that we start is not one of those:
// with a password that it does not have it would refuse us for ever.
#pragma once

namespace awdit {

// Removes these variables from our own environment permanently. REQUIRES: no
// other thread looks at the environment, so that it must be before there are
// sessions.
void forget_client_environment();

}  // namespace awdit
