import type { JsonObject } from '@bufbuild/protobuf';
import {
  cyclePhase,
  dailySwing,
  getHourOfDay,
  type ReadingModel,
  rounded,
  siteLoad,
  wandering,
} from './readingModel';

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

/** A machine's status: its state, an error, if any, and a counter. */
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

const CHARGING_SHARE = 0.22;
const LOWEST_CHARGE = 18;
const JAM_CHANCE = 1 / 900;

/** A battery pack that is discharged over several hours and recharged. */
export const battery: ReadingModel = (random) => {
  const cells = random.pick([8, 13, 16]);
  const hours = random.between(7, 11);
  const offset = random.next();
  const noise = wandering(random, 1.5);
  return (at) => {
    const phase = cyclePhase(at, hours, offset);
    const isCharging = phase >= 1 - CHARGING_SHARE;
    const empty = isCharging ? (1 - phase) / CHARGING_SHARE : phase / (1 - CHARGING_SHARE);
    const charge = 100 - (100 - LOWEST_CHARGE) * empty;
    const amperes = isCharging
      ? 38 * (0.3 + empty)
      : -Math.max(1, 4 + 18 * siteLoad(at) + 2 * noise());
    const volts = cells * (3.05 + 0.0028 * charge + 0.0012 * amperes);
    return {
      readings: {
        volts: rounded(volts),
        amperes: rounded(amperes),
        watts: rounded(volts * amperes, 1),
        charge_pct: rounded(charge, 1),
        is_charging: isCharging,
      },
    };
  };
};

/** Current and temperature of a drive. Occasionally, the drive jams and the current spikes. */
export const motorLoad: ReadingModel = (random) => {
  const nominal = random.between(2.5, 9);
  const rpm = random.between(80, 170);
  const noise = wandering(random, 0.12, 0.7);
  let celsius = random.between(28, 40);
  return (at) => {
    const load = siteLoad(at) * (0.75 + noise());
    const isRunning = random.chance(0.25 + 0.7 * siteLoad(at));
    const isJammed = isRunning && random.chance(JAM_CHANCE);
    const amperes = isRunning ? nominal * (isJammed ? random.between(4, 6) : Math.abs(load)) : 0.08;
    celsius += 0.06 * (26 + 9 * amperes - celsius);
    return {
      readings: {
        current_a: rounded(amperes),
        rpm: isRunning && !isJammed ? rounded(rpm * (0.97 + 0.03 * random.next()), 1) : 0,
        winding_temperature: rounded(celsius, 1),
      },
    };
  };
};

/** Power state and power level of a motor. */
export const motorPower: ReadingModel = (random) => (at) => {
  const isOn = random.chance(0.2 + 0.7 * siteLoad(at));
  return { is_on: isOn, power_pct: isOn ? rounded(random.between(0.35, 0.9)) : 0 };
};

/**
 * Accelerometer on a gearbox, with the strength of the vibration by axis and its dominant
 * frequency.
 */
export const vibration: ReadingModel = (random) => {
  const base = random.between(0.6, 1.8);
  const hertz = random.between(22, 48);
  const wear = wandering(random, 0.15, 0.999);
  return (at) => {
    const strength = base * (0.25 + 0.75 * siteLoad(at)) * (1 + Math.abs(wear()));
    const axis = (share: number) => {
      const rms = strength * share * (1 + random.normal(0.06));
      return { rms: rounded(rms, 3), peak: rounded(rms * random.between(2.6, 3.8), 3) };
    };
    return {
      readings: {
        acceleration_g: { x: axis(0.5), y: axis(0.8), z: axis(1) },
        dominant_hz: rounded(hertz + random.normal(0.4), 1),
        bearing_temperature: rounded(31 + 14 * strength + random.normal(0.5), 1),
      },
    };
  };
};

/** Value from a probe with a broken wire. */
const PROBE_FAULT_CELSIUS = 85;
const PROBE_FAULT_CHANCE = 1 / 600;
const MISSING_CHANCE = 1 / 120;
const COMPASS_DEGREES = 360;
const NOON = 12;

/** Temperature, humidity, and air pressure in a room. Occasionally, a field is missing. */
export const roomClimate: ReadingModel = (random) => {
  const mean = random.between(17, 24);
  const swing = random.between(1.5, 4);
  const temperature = wandering(random, 0.4);
  const humidity = wandering(random, 3);
  const pressure = wandering(random, 4, 0.995);
  return (at) => {
    const celsius = mean + swing * dailySwing(at) + temperature();
    const readings: JsonObject = {
      temperature: random.chance(PROBE_FAULT_CHANCE) ? PROBE_FAULT_CELSIUS : rounded(celsius),
      humidity: rounded(48 - 2 * (celsius - mean) + humidity(), 1),
      pressure: rounded(1013 + pressure(), 1),
    };
    if (random.chance(MISSING_CHANCE)) delete readings.humidity;
    return { readings };
  };
};

/** Outdoor weather mast that measures temperature, humidity, rain, sunlight, and wind. */
export const weather: ReadingModel = (random) => {
  const mean = random.between(9, 15);
  const temperature = wandering(random, 1.2, 0.98);
  const wind = wandering(random, 1.5, 0.97);
  const direction = wandering(random, 40, 0.99);
  const cloud = wandering(random, 0.4, 0.99);
  return (at) => {
    const cover = Math.min(1, Math.max(0, 0.4 + cloud()));
    const speed = Math.abs(3 + wind());
    const sun = Math.max(0, Math.cos(((getHourOfDay(at) - NOON) / NOON) * Math.PI));
    return {
      readings: {
        temperature: rounded(mean + 6 * dailySwing(at) + temperature()),
        humidity: rounded(Math.min(100, 68 - 14 * dailySwing(at) + 20 * cover), 1),
        rain_mm_per_h: cover > 0.85 ? rounded(random.between(0.2, 6), 1) : 0,
        solar_w_per_m2: Math.round(sun * (1 - 0.75 * cover) * 780),
        wind: {
          speed_m_per_s: rounded(speed, 1),
          gust_m_per_s: rounded(speed * random.between(1.1, 1.8), 1),
          direction_deg: Math.round((COMPASS_DEGREES + 210 + direction()) % COMPASS_DEGREES),
        },
      },
    };
  };
};

/** Temperature of a tank that is cooled whenever it gets too warm. */
export const tankTemperature: ReadingModel = (random) => {
  const upper = random.between(24, 27.5);
  let celsius = upper - random.between(0, 4);
  let isCooling = false;
  return () => {
    isCooling = isCooling ? celsius > upper - 4 : celsius > upper;
    celsius += (isCooling ? -0.18 : 0.07) + random.normal(0.03);
    return { readings: { celsius: rounded(celsius), cooling: isCooling } };
  };
};

/** Warehouse gate, which is open while trucks are being loaded. */
export const door: ReadingModel = (random) => {
  const busy = random.between(0.2, 0.5);
  let openings = random.wholeBetween(2_000, 40_000);
  let isOpen = false;
  return (at) => {
    const willOpen = random.chance(busy * siteLoad(at));
    openings += willOpen && !isOpen ? 1 : 0;
    isOpen = willOpen;
    return { readings: { open: isOpen, openings } };
  };
};
