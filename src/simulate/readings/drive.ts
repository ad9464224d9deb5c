import { type ReadingModel, rounded } from './readingModel';
import { cyclePhase, siteLoad, wandering } from './rhythm';

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
