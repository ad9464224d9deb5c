import { type ReadingModel, rounded } from './readingModel';
import { dailySwing, siteLoad, wandering } from './rhythm';

const METERS_PER_DEGREE = 111_320;
const DEGREES_PER_RADIAN = 180 / Math.PI;
const FAULTS = ['E041_OVERLOAD', 'E107_LIGHT_CURTAIN', 'E233_NO_PALLET', 'E310_COMMUNICATION'];
const NO_FIX_CHANCE = 1 / 150;

/** Default location of simulated machines. */
const HARBOUR = { latitude: 57.70561, longitude: 11.93862, altitude: 12 };

/**
 * Returns a model of a vehicle that makes its rounds. Occasionally, its receiver finds no
 * satellites and reports zeros.
 */
export function rounds(around: typeof HARBOUR): ReadingModel {
  return (random) => {
    const radius = random.between(35, 140);
    const drift = wandering(random, 0.6);
    let turn = random.between(0, 2 * Math.PI);
    return (at) => {
      turn += 0.18 * siteLoad(at);
      if (random.chance(NO_FIX_CHANCE)) {
        return { coordinate: { latitude: 0, longitude: 0 }, altitude_m: 0 };
      }
      const north = radius * Math.sin(turn) + drift();
      const east = 1.6 * radius * Math.cos(turn) + drift();
      const narrowing = Math.cos(around.latitude / DEGREES_PER_RADIAN);
      return {
        coordinate: {
          latitude: rounded(around.latitude + north / METERS_PER_DEGREE, 7),
          longitude: rounded(around.longitude + east / METERS_PER_DEGREE / narrowing, 7),
        },
        altitude_m: rounded(around.altitude + drift()),
      };
    };
  };
}

/** Position of a vehicle that drives around a harbor. */
export const position: ReadingModel = rounds(HARBOUR);

/** Status of a machine: its state, an error, if any, and a counter. */
export const machineStatus: ReadingModel = (random) => {
  let state = 'idle';
  let fault: string | undefined;
  let cycles = random.wholeBetween(10_000, 900_000);
  return (at) => {
    if (state === 'fault') {
      state = random.chance(0.4) ? 'idle' : 'fault';
    } else if (random.chance(1 / 80)) {
      state = 'fault';
      fault = random.pick(FAULTS);
    } else {
      state = random.chance(siteLoad(at) * 0.9) ? 'running' : 'idle';
    }
    cycles += state === 'running' ? random.wholeBetween(8, 14) : 0;
    return {
      readings: {
        state,
        cycles,
        ...(state === 'fault' && fault !== undefined && { fault }),
      },
    };
  };
};

/**
 * The computer in a cabinet, with its load and the temperatures of the cabinet and the computer's
 * components.
 */
export const computerHealth: ReadingModel = (random) => {
  const busy = wandering(random, 8);
  const memory = random.between(30, 55);
  let disk = random.between(20, 60);
  return (at) => {
    const cpu = Math.min(100, Math.max(1, 12 + 30 * siteLoad(at) + busy()));
    disk = disk > 88 ? disk - random.between(30, 40) : disk + random.between(0, 0.05);
    return {
      readings: {
        cpu_pct: rounded(cpu, 1),
        memory_pct: rounded(memory + 0.1 * cpu, 1),
        disk_pct: rounded(disk, 1),
        temperature: rounded(27 + 0.08 * cpu + 3 * dailySwing(at), 1),
        temperatures: {
          cpu: rounded(34 + 0.35 * cpu + 2 * dailySwing(at), 1),
          nvme: rounded(37 + 0.1 * cpu + 2 * dailySwing(at), 1),
        },
      },
    };
  };
};

/** A water probe: salinity and temperature by depth. */
export const seaWater: ReadingModel = (random) => {
  const floor = random.between(18, 70);
  const noise = wandering(random, 0.05);
  let phase = random.next();
  return () => {
    phase = (phase + 0.01) % 1;
    const depth = floor * (0.5 - 0.5 * Math.cos(2 * Math.PI * phase));
    const celsius = 16.5 - 0.07 * depth + noise();
    const salinity = 35.4 + 0.006 * depth + noise();
    return {
      readings: {
        depth_m: rounded(depth),
        temperature: rounded(celsius, 3),
        salinity_psu: rounded(salinity, 3),
        conductivity_ms_per_cm: rounded(1.02 * salinity + 0.9 * celsius, 3),
      },
    };
  };
};

/** Joint positions of a palletizing arm, in degrees. */
export const jointPositions: ReadingModel = (random) => {
  const ranges = [150, 60, 75, 40, 35, 170].map((range) => range * random.between(0.7, 1));
  let step = random.between(0, 100);
  return (at) => {
    step += siteLoad(at) * random.between(0.5, 1.5);
    const values = ranges.map((range, joint) => rounded(range * Math.sin(step * (1 + joint / 7))));
    return { positions: { values } };
  };
};
