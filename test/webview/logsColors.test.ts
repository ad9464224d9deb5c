import assert from 'node:assert/strict';
import type { LineRow } from '../../src/shared/logs';
import { numberedRow } from './support/fakeLogHost';
import type { LogPage } from './support/logPage';
import { logSuite } from './support/logSuite';
import { type ThemeKind, themeKinds } from './support/themes';

const names = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White'] as const;

/** Terminal palettes of VS Code's default themes: eight colors and their bright variants. */
const palettes: Readonly<Record<ThemeKind, string>> = {
  dark:
    '#000000 #cd3131 #0dbc79 #e5e510 #2472c8 #bc3fbc #11a8cd #e5e5e5 ' +
    '#666666 #f14c4c #23d18b #f5f543 #3b8eea #d670d6 #29b8db #e5e5e5',
  light:
    '#000000 #cd3131 #107c10 #949800 #0451a5 #bc05bc #0598bc #555555 ' +
    '#666666 #f14c4c #14ce14 #b5ba00 #3b8eea #d670d6 #29b8db #a5a5a5',
  highContrast:
    '#000000 #cd0000 #00cd00 #cdcd00 #0000ee #cd00cd #00cdcd #e5e5e5 ' +
    '#7f7f7f #ff0000 #00ff00 #ffff00 #5c5cff #ff00ff #00ffff #ffffff',
  highContrastLight:
    '#292929 #cd3131 #136c13 #949800 #0451a5 #bc05bc #0598bc #555555 ' +
    '#666666 #cd3131 #00bc00 #b5ba00 #0451a5 #bc05bc #0598bc #a5a5a5',
};

/** Minimum contrast of text according to the Web Content Accessibility Guidelines. */
const MIN_CONTRAST = 4.5;

describe('colors of log lines in a browser', function () {
  this.timeout(120_000);
  const panel = logSuite();
  let opened: LogPage;

  /**
   * Shows one line with each color of the palette as its text color and one with each as its
   * background.
   */
  async function open(theme: ThemeKind): Promise<void> {
    const { host } = panel;
    host.end = 2;
    (['color', 'background'] as const).forEach((property, number) => {
      const numbers = Array.from({ length: 16 }, (_, color) => color);
      const styles = numbers.map((color) => ({
        start: 3 * color,
        end: 3 * color + 2,
        [property]: color,
      }));
      const text = numbers.map((color) => `C${color.toString(16)}`).join(' ');
      const line = numberedRow(number) as LineRow;
      host.rows.set(number, { ...line, text, styles });
    });
    opened = await panel.open({ theme });
    const palette = palettes[theme].split(' ');
    const variables = ['', 'Bright'].flatMap((kind) =>
      names.map((name) => `--vscode-terminal-ansi${kind}${name}`),
    );
    await opened.page.evaluate(
      (entries) => {
        for (const [name, color] of entries) {
          document.documentElement.style.setProperty(name, color);
        }
      },
      variables.map((name, index) => [name, palette[index] ?? ''] as const),
    );
  }

  /** Returns the contrast between each colored text of a line and its background. */
  async function contrasts(number: number): Promise<readonly number[]> {
    const spans = opened.getRow(number).locator('.text span');
    const pixels = await spans.evaluateAll((all) => {
      const context = new OffscreenCanvas(1, 1).getContext('2d');
      return all.map((span) => {
        const { color, backgroundColor } = getComputedStyle(span);
        const page = getComputedStyle(document.body).backgroundColor;
        return [[page, backgroundColor], [color]].map((layers) => {
          for (const layer of layers) {
            if (!context) continue;
            context.fillStyle = layer;
            context.fillRect(0, 0, 1, 1);
          }
          return [...(context?.getImageData(0, 0, 1, 1).data.slice(0, 3) ?? [])];
        });
      });
    });
    return pixels.map(([behind = [], text = []]) =>
      getContrast(luminance(behind), luminance(text)),
    );
  }

  for (const theme of themeKinds) {
    it(`are readable in ${theme}, as text and as background`, async () => {
      await open(theme);
      for (const number of [0, 1]) {
        const found = await contrasts(number);
        assert.equal(found.length, 16);
        const low = found.flatMap((contrast, color) =>
          contrast < MIN_CONTRAST ? [`${color}: ${contrast.toFixed(2)}`] : [],
        );
        assert.deepEqual(low, [], `line ${number}`);
      }
    });
  }
});

function getContrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Returns the relative luminance of an sRGB color with components from 0 to 255. */
function luminance([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const [r, g, b] = [red, green, blue].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
