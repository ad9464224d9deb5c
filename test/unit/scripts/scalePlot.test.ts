import assert from 'node:assert/strict';
import { renderScalePlot } from '../../../scripts/support/scalePlot';

const options = { title: 'Time of operations', figure: 'milliseconds', unit: 'ms' } as const;

function curve(name: string, ...times: number[]) {
  const points = times.map((milliseconds, index) => {
    const scale = 10 ** (index + 1);
    return { scale, size: scale * 2, milliseconds, mebibytes: 100 };
  });
  return { name, unit: 'machines', points };
}

/** Returns the vertical positions of the texts with the given contents. */
function textPositions(svg: string, ...contents: string[]): number[] {
  return contents.map((content) => {
    const [, y] =
      new RegExp(`<text x="[\\d.]+" y="([\\d.]+)"[^>]*>${content}</text>`).exec(svg) ?? [];
    assert.ok(y !== undefined, `"${content}" is missing in ${svg}`);
    return Number(y);
  });
}

describe('renderScalePlot', () => {
  it('places points on logarithmic axes', () => {
    const svg = renderScalePlot([curve('listing', 10, 100, 1000)], options);
    assert.match(svg, /<polyline points="84,356 282,206 480,56" /);
  });

  it('labels the sizes and the decades of the values', () => {
    const svg = renderScalePlot([curve('listing', 20, 90, 400)], options);
    textPositions(svg, '10×', '100×', '1,000×');
    assert.deepEqual(textPositions(svg, '10 ms', '100 ms', '1,000 ms'), [360, 210, 60]);
  });

  it('has its own background and a title', () => {
    const svg = renderScalePlot([curve('listing', 1, 2)], options);
    assert.match(svg, /<title>Time of operations<\/title>\n<rect [^>]*fill="#ffffff"\/>/);
  });

  it('separates the labels of curves with the same end', () => {
    const svg = renderScalePlot(
      [curve('a &lt; b', 1, 5), curve('c', 1, 5), curve('d', 1, 9)],
      options,
    );
    const [first = 0, second = 0, third = 0] = textPositions(svg, 'a &amp;lt; b', 'c', 'd');
    assert.ok(first - second >= 18 && second - third >= 18, [first, second, third].join(', '));
  });

  it('draws the guide of proportional growth within the plot', () => {
    const svg = renderScalePlot([curve('listing', 2, 3, 4)], options);
    assert.match(svg, /<line x1="84" y1="356" x2="282" y2="56" [^>]*stroke-dasharray="5 5"\/>/);
  });
});
