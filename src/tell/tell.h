// From what a check found to what a person is told: findings in groups, of each
// group the smallest part of the history that shows it, its proof in steps, and
// the words for all of it. Front door.
//
// `stories` makes all of it once; whoever shows it, however often, takes an
// excerpt. Cost: one pass over the history, and that of the evidence.
#pragma once

#include "tell/digest.h"
#include "tell/example.h"
#include "tell/exhibit.h"
#include "tell/extract.h"
#include "tell/known.h"
#include "tell/proof.h"
#include "tell/sentences.h"
#include "tell/shown_times.h"
#include "tell/shrink.h"
#include "tell/stories.h"
