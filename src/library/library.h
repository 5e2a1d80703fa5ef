// What is done for whoever asks, be it by a command line or by calls: which
// levels are meant, what they may take, what belongs to a certificate, how a
// history is shrunk. Front door.
//
// cli types and prints, abi translates to C; neither decides anything that the
// other would have to decide again.
#pragma once

#include "library/certified.h"
#include "library/initial_hint.h"
#include "library/smallest.h"
#include "library/usual_limits.h"
#include "library/wanted_levels.h"
