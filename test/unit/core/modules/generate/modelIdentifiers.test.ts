import assert from 'node:assert/strict';
import { modelIdentifiers } from '../../../../../src/core/modules/generate/moduleFiles';
import { MODULE_APIS } from '../../../../../src/core/modules/generate/moduleApi';
import { readModuleTemplates } from '../../../../../scripts/support/moduleTemplates';

describe('modelIdentifiers', () => {
  const ts = (name: string, ...noun: string[]) => modelIdentifiers(name, noun, 'typescript');

  it('appends the API to names', () => {
    assert.deepEqual(ts('weather-station', 'Sensor'), {
      className: 'WeatherStationSensor',
      constant: 'weatherStationSensor',
      fileName: 'weatherStationSensor',
    });
    assert.equal(ts('weather_sensor', 'Sensor').className, 'WeatherSensor');
    assert.equal(ts('imuMovementSensor', 'Movement', 'Sensor').className, 'ImuMovementSensor');
    assert.equal(ts('IMX219', 'Camera').constant, 'iMX219Camera');
  });

  it('names Python files in Python style', () => {
    assert.equal(
      modelIdentifiers('weatherStation', ['Sensor'], 'python').fileName,
      'weather_station_sensor',
    );
  });

  it('prefixes reserved words of the language', () => {
    assert.equal(ts('class', 'Sensor').constant, 'classSensor');
    assert.equal(modelIdentifiers('import', ['Sensor'], 'python').fileName, 'import_sensor');
  });

  it('returns identifiers for almost empty names', () => {
    for (const name of ['sensor', '---', '_', '42', '0x1']) {
      const { className } = ts(name, 'Sensor');
      assert.match(className, /^My[A-Za-z0-9]*Sensor$/, name);
    }
  });

  it('never returns an identifier of a template', () => {
    for (const { key, noun, languages } of MODULE_APIS) {
      for (const language of languages) {
        const texts = readModuleTemplates(language)
          .filter(({ path }) => path.startsWith(`apis/${key}/src/MODEL`))
          .map(({ text }) => text);
        assert.equal(texts.length, 1, `${language} ${key}`);
        const taken = new Set(texts.join('\n').match(/\b[A-Za-z_]\w*\b/g));
        for (const name of taken) {
          const { className, constant } = modelIdentifiers(name, noun, language);
          assert.ok(!taken.has(className), `${language} ${key}: ${className} of ${name}`);
          assert.ok(!taken.has(constant), `${language} ${key}: ${constant} of ${name}`);
        }
      }
    }
  });
});
