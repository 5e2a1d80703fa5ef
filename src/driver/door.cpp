// What the file of a driver exports; AWDIT_OPEN is its function of rows.h.
#include "driver/loaded.h"
#include "driver/rows.h"

extern "C" {
extern const awdit::LoadedDriver awdit_driver;
const awdit::LoadedDriver awdit_driver = {awdit_stamp, awdit::AWDIT_OPEN};
}
