import fc from "fast-check";

// The suite is the same every time, so that a red one is somebody's doing. PRECIS_RUNS explores: other inputs, as many
// as it says; PRECIS_SEED repeats one exploration.
const { PRECIS_RUNS, PRECIS_SEED } = process.env;
if (PRECIS_SEED !== undefined) fc.configureGlobal({ seed: Number(PRECIS_SEED) });
else if (PRECIS_RUNS === undefined) fc.configureGlobal({ seed: 20_261_201 });
