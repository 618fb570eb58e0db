// All of the library.
#pragma once

#include "mmaprint/batch.h"
#include "mmaprint/check.h"
#include "mmaprint/distinguish.h"
#include "mmaprint/error.h"
#include "mmaprint/formats.h"
#include "mmaprint/gemm.h"
#include "mmaprint/identify.h"
#include "mmaprint/model.h"
#include "mmaprint/version.h"
