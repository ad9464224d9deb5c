import assert from 'node:assert/strict';
import { readTraceOptions } from '../../../../src/service/monitoring/traceOptions';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const LOW = '0'.repeat(32);
const HIGH = 'f'.repeat(32);

const read = (environment: NodeJS.ProcessEnv) => readTraceOptions(environment, '1.0.0');

describe('readTraceOptions', () => {
  it('returns undefined unless a collector is specified', () => {
    for (const environment of [
      {},
      { OTEL_SERVICE_NAME: 'fleet' },
      { ...ENDPOINT, OTEL_SDK_DISABLED: 'true' },
      { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' },
    ]) {
      assert.equal(read(environment), undefined);
    }
  });

  it('appends the path of traces to the base URL only', () => {
    assert.equal(read(ENDPOINT)?.url.href, 'http://collector:4318/v1/traces');
    const base = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.example/otlp/' };
    assert.equal(read(base)?.url.href, 'https://c.example/otlp/v1/traces');
    const own = { ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t:1/custom' };
    assert.equal(read(own)?.url.href, 'http://t:1/custom');
  });

  it('samples as the parent does, or by the ratio of trace IDs', () => {
    const sample = (environment: NodeJS.ProcessEnv, id: string, parent?: boolean) =>
      read({ ...ENDPOINT, ...environment })?.isSampled(id, parent);
    assert.equal(sample({}, HIGH), true);
    assert.equal(sample({}, HIGH, false), false);
    assert.equal(sample({ OTEL_TRACES_SAMPLER: 'always_on' }, HIGH, false), true);
    assert.equal(sample({ OTEL_TRACES_SAMPLER: 'always_off' }, LOW, true), false);
    assert.equal(sample({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, LOW, true), true);
    const ratio = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' };
    assert.deepEqual([sample(ratio, LOW), sample(ratio, HIGH)], [true, false]);
  });

  it('names the invalid variable', () => {
    for (const [variable, value] of [
      ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
      ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
      ['OTEL_EXPORTER_OTLP_HEADERS', '=x'],
      ['OTEL_RESOURCE_ATTRIBUTES', 'a=%zz'],
      ['OTEL_TRACES_EXPORTER', 'zipkin'],
      ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ] as const) {
      assert.throws(
        () => read({ ...ENDPOINT, [variable]: value }),
        new RegExp(`^Error: ${variable}`),
      );
    }
  });

  it('names a protocol that is not used', () => {
    assert.equal(read(ENDPOINT)?.ignoredProtocol, undefined);
    const other = { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' };
    assert.equal(read(other)?.ignoredProtocol, 'http/protobuf');
  });
});
