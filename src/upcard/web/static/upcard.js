// The start of every page. Each module does nothing where a page has none of its elements.
import { start as startSwapping } from "./swap.js";
import { start as startKeys } from "./keys.js";
import { start as startGrids } from "./grid.js";
import { start as startTable } from "./table.js";
import { start as startSteps } from "./steps.js";
import { start as startDrill } from "./drill.js";

startSwapping();
startKeys();
startGrids();
startTable();
startSteps();
startDrill();
