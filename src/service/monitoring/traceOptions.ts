/** Settings for traces, which come from the environment variables of OpenTelemetry. */
export interface TraceOptions {
  /** URL of the collector for traces. */
  readonly url: URL;
  /** Headers for the collector, which can contain its key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Description of this process, and of this program, in OTLP. */
  readonly resource: object;
  readonly scope: object;
  /** Name of a protocol that was requested but isn't used. */
  readonly ignoredProtocol: string | undefined;
  /**
   * Returns true if a trace is recorded.
   * @param parent true if the caller records its part of the trace; undefined without a caller
   */
  isSampled(traceId: string, parent: boolean | undefined): boolean;
}

const PROGRAM = 'fleetwright';
const TRACES_PATH = 'v1/traces';
const PROTOCOL = 'http/json';
/** Number of hexadecimal digits of a trace ID that decide about sampling. */
const RATIO_DIGITS = 8;

/**
 * Reads the settings from the environment. Returns undefined if no collector is specified.
 * @throws Error that names the invalid variable
 */
export function readTraceOptions(
  environment: NodeJS.ProcessEnv,
  version: string,
): TraceOptions | undefined {
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined;
  if (read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  const exporter = read('OTEL_TRACES_EXPORTER') ?? 'otlp';
  if (exporter === 'none') return undefined;
  if (exporter !== 'otlp') {
    throw new Error(`OTEL_TRACES_EXPORTER must be otlp or none, not "${exporter}"`);
  }
  const ofSignal = (suffix: string): string | undefined =>
    read(`OTEL_EXPORTER_OTLP_TRACES_${suffix}`) ?? read(`OTEL_EXPORTER_OTLP_${suffix}`);
  const url = readEndpoint(
    read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'),
    read('OTEL_EXPORTER_OTLP_ENDPOINT'),
  );
  if (url === undefined) return undefined;
  const protocol = ofSignal('PROTOCOL') ?? PROTOCOL;
  if (protocol === 'grpc') {
    throw new Error(
      `OTEL_EXPORTER_OTLP_PROTOCOL must be ${PROTOCOL}, not "grpc"; the port of the collector for it is usually 4318`,
    );
  }
  const attributes: Record<string, string | undefined> = {
    ...readPairs('OTEL_RESOURCE_ATTRIBUTES', read('OTEL_RESOURCE_ATTRIBUTES')),
    'service.version': version,
  };
  const serviceName = read('OTEL_SERVICE_NAME') ?? attributes['service.name'] ?? PROGRAM;
  return {
    url,
    headers: readPairs('OTEL_EXPORTER_OTLP_HEADERS', ofSignal('HEADERS')),
    resource: {
      attributes: Object.entries({ ...attributes, 'service.name': serviceName }).map(
        ([key, stringValue]) => ({ key, value: { stringValue } }),
      ),
    },
    scope: { name: PROGRAM, version },
    ignoredProtocol: protocol === PROTOCOL ? undefined : protocol,
    isSampled: readSampler(read('OTEL_TRACES_SAMPLER'), read('OTEL_TRACES_SAMPLER_ARG')),
  };
}

function readEndpoint(ofTraces: string | undefined, base: string | undefined): URL | undefined {
  const text = ofTraces ?? base;
  if (text === undefined) return undefined;
  const url = URL.parse(ofTraces ?? `${text.replace(/\/$/, '')}/${TRACES_PATH}`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    // The input can contain a password, so the error doesn't quote it.
    throw new Error('OTEL_EXPORTER_OTLP_ENDPOINT must be a URL such as http://localhost:4318');
  }
  return url;
}

/** Parses `name=value,name=value`, whose values can be percent-encoded (W3C Baggage). */
function readPairs(variable: string, text: string | undefined): Record<string, string> {
  const pairs = text?.split(',').filter((pair) => pair.trim() !== '') ?? [];
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? [];
        if (name === '') throw new Error('a name is missing');
        return [name, decodeURIComponent(value.trim())];
      }),
    );
  } catch (error) {
    throw new Error(`${variable} must be name=value, separated by commas`, { cause: error });
  }
}

function readSampler(name = 'parentbased_always_on', ratio = '1'): TraceOptions['isSampled'] {
  const share = name.endsWith('always_off') ? 0 : Number(ratio);
  const isKnown = /^(parentbased_)?(always_on|always_off|traceidratio)$/.test(name);
  if (!isKnown || !(share >= 0 && share <= 1)) {
    throw new Error(
      'OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, with or without the ' +
        'prefix parentbased_, and OTEL_TRACES_SAMPLER_ARG a number from 0 to 1',
    );
  }
  const limit =
    name.endsWith('traceidratio') || share === 0 ? share * 16 ** RATIO_DIGITS : Infinity;
  return (traceId, parent) =>
    (name.startsWith('parentbased_') ? parent : undefined) ??
    Number.parseInt(traceId.slice(-RATIO_DIGITS), 16) < limit;
}
