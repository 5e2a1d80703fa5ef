// The words that everything above shares: levels and their lattice, anomalies
// and their names, evidence and verdicts. Front door.
//
// Data and the questions that data answers; nothing here decides or judges
// anything, so that the checker and the verifier can agree on what is claimed
// without sharing how it is found out. Adding a level or an anomaly is a row in
// levels.cpp or anomalies.cpp; docs/levels says what they mean.
#pragma once

#include "theory/anomalies.h"
#include "theory/evidence.h"
#include "theory/lattice.h"
#include "theory/levels.h"
#include "theory/sql_levels.h"
#include "theory/verdicts.h"
#include "theory/violations.h"
#include "theory/walk.h"
