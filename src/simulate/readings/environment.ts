import type { JsonObject } from '@bufbuild/protobuf';
import { type ReadingModel, rounded } from './readingModel';
import { dailySwing, getHourOfDay, siteLoad, wandering } from './rhythm';

/** Value of a probe with a broken wire. */
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
    if (random.chance(MISSING_CHANCE)) {
      delete readings.humidity;
    }
    return { readings };
  };
};

/** Outdoor weather mast that measures wind, rain, and sun in addition to the air. */
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

/** Gate of a warehouse, which is open while trucks are being loaded. */
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
