// libawdit in C++17: all of it.
#ifndef AWDIT_AWDIT_HPP
#define AWDIT_AWDIT_HPP

#include "awdit/builder.hpp"
#include "awdit/check.hpp"
#include "awdit/handle.hpp"
#include "awdit/history.hpp"
#include "awdit/options.hpp"
#include "awdit/report.hpp"
#include "awdit/verify.hpp"

#endif
