// Servers and places of our own, for databases to be tested in. Front door.
//
//   postgres_servers, mariadb_servers   started for a run, ended with it
//   proxy             stands before one of them and loses answers
//   owned_directory   where an embedded database lives
//   file_lock         says that a run uses a file
//   child_process     a program that is started, and ended with us
//
// As whom servers run (account.h) and how MariaDB's become a cluster (galera.h)
// is nobody else's business. Nothing here speaks to a server: whether one is
// ready, who starts it must tell.
#pragma once

#include "server/child_process.h"
#include "server/file_lock.h"
#include "server/mariadb_servers.h"
#include "server/owned_directory.h"
#include "server/postgres_servers.h"
#include "server/proxy.h"
