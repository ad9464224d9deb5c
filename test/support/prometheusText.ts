import assert from 'node:assert/strict';

/** A sample of a metric. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Metric families by name. */
export type Families = ReadonlyMap<string, { readonly type: string; readonly samples: Sample[] }>;

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const COMMENT = /^# (HELP|TYPE) (\S+) (.+)$/;
const SAMPLE = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,|$)/y;
const VALUE = /^(?:[+-]?Inf|NaN|[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;
const TYPES = new Set(['counter', 'gauge', 'histogram', 'summary', 'untyped']);
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/**
 * Parses the Prometheus text format, version 0.0.4, and rejects everything that the format doesn't
 * allow: samples without a type or of an interrupted group, duplicates, invalid names, labels, and
 * values, and histograms whose buckets contradict each other.
 */
export function parsePrometheusText(text: string): Families {
  assert.ok(text.endsWith('\n'), 'the last line must end with a line feed');
  const families = new Map<string, { type: string; samples: Sample[] }>();
  const documented = new Set<string>();
  const seen = new Set<string>();
  let current = '';
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    if (line.startsWith('#')) {
      const [, kind, name = '', rest = ''] = COMMENT.exec(line) ?? assert.fail(`comment: ${line}`);
      assert.match(name, NAME);
      if (kind === 'HELP') {
        assert.ok(!documented.has(name), `second HELP: ${line}`);
        documented.add(name);
      } else {
        assert.ok(TYPES.has(rest), line);
        assert.ok(!families.has(name), `second TYPE: ${line}`);
        families.set(name, { type: rest, samples: [] });
      }
      current = name;
      continue;
    }
    const [, name = '', labelText = '', valueText = ''] =
      SAMPLE.exec(line) ?? assert.fail(`sample: ${line}`);
    assert.match(name, NAME);
    assert.match(valueText, VALUE, line);
    const family = families.get(current) ?? assert.fail(`no type: ${line}`);
    const suffixes = SUFFIXES[family.type] ?? [''];
    assert.ok(
      suffixes.some((suffix) => name === current + suffix),
      `outside its group: ${line}`,
    );
    const sample = { name, labels: parseLabels(labelText), value: parseValue(valueText) };
    const key = JSON.stringify([name, Object.entries(sample.labels).sort()]);
    assert.ok(!seen.has(key), `duplicate: ${line}`);
    seen.add(key);
    family.samples.push(sample);
  }
  for (const [name, { type, samples }] of families) {
    assert.ok(documented.has(name), `${name} has no HELP`);
    if (type === 'histogram') checkHistogram(name, samples);
    if (type === 'counter') assert.ok(samples.every(({ value }) => value >= 0));
  }
  return families;
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const [, name = '', value = ''] = LABEL.exec(text) ?? assert.fail(`labels: ${text}`);
    assert.ok(!(name in labels) && !name.startsWith('__'), `labels: ${text}`);
    labels[name] = value;
  }
  return labels;
}

function parseValue(text: string): number {
  return Number(text.replace('Inf', 'Infinity'));
}

function checkHistogram(name: string, samples: readonly Sample[]): void {
  const series = Map.groupBy(samples, ({ labels }) =>
    JSON.stringify(
      Object.entries(labels)
        .filter(([label]) => label !== 'le')
        .sort(),
    ),
  );
  for (const group of series.values()) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => parseValue(labels.le ?? ''));
    assert.ok(bounds.every((bound, index) => index === 0 || bound > (bounds[index - 1] ?? 0)));
    assert.ok(
      buckets.every(({ value }, index) => index === 0 || value >= (buckets[index - 1]?.value ?? 0)),
    );
    assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY);
    const [count] = group.filter((sample) => sample.name === `${name}_count`);
    assert.equal(count?.value, buckets.at(-1)?.value);
    assert.equal(group.filter((sample) => sample.name === `${name}_sum`).length, 1);
  }
}
