import * as l10n from '@vscode/l10n';
import type { RunOrigin } from '../../src/shared/query/results';
import { element, toolButton } from '../ui/elements';
import { localeTag } from '../ui/format';

/** Maximum number of characters from the statement on the collapsed line. */
const MAX_PREVIEW_LENGTH = 300;

interface RunHeaderOptions {
  readonly locale: string;
  /** Shows the lines in the file that were run; absent if these lines are already visible. */
  readonly showSource?: (() => void) | undefined;
}

/**
 * The statement that was run, its source, and the time when it was run. They are on one line (two
 * in a narrow view) that the user can expand.
 */
export class RunHeader {
  readonly element = element('div', { class: 'run-header' });
  private readonly source = element('span', { class: 'run-source faint' });
  private readonly ranAt = element('span', { class: 'run-time faint' });
  private readonly preview = element('code', { class: 'run-preview', dir: 'ltr' });
  private readonly statement = element('code', { dir: 'ltr' });
  private readonly summary: HTMLElement;
  private readonly details: HTMLDetailsElement;
  private readonly shortTime: Intl.DateTimeFormat;
  private readonly exactTime: Intl.DateTimeFormat;

  constructor(private readonly options: RunHeaderOptions) {
    const { locale, showSource } = options;
    const format = (timeStyle: 'short' | 'medium'): Intl.DateTimeFormat =>
      new Intl.DateTimeFormat(localeTag(locale), { dateStyle: 'medium', timeStyle });
    this.shortTime = format('short');
    this.exactTime = format('medium');
    // The statement can scroll, so it must be reachable by keyboard.
    const whole = element('pre', { class: 'run-statement', tabindex: '0' }, this.statement);
    whole.setAttribute('role', 'region');
    whole.setAttribute('aria-label', l10n.t('Statement that was run'));
    this.summary = element('summary', {}, this.source, this.ranAt, this.preview);
    this.details = element('details', { class: 'run-details' }, this.summary, whole);
    if (showSource) {
      this.element.append(
        toolButton(l10n.t('View Source'), showSource, {
          focusKey: 'run source',
          hint: l10n.t('Show the lines of the file that were run'),
        }),
      );
    }
    this.element.append(this.details);
    this.element.hidden = true;
  }

  /** Shows a run, collapsed; undefined hides the header. */
  show(origin: RunOrigin | undefined): void {
    this.element.hidden = origin === undefined;
    if (!origin) return;
    const { language, statement, at } = origin;
    const source = [language.toUpperCase(), this.describeSource(origin)].join(' · ');
    this.source.textContent = source;
    this.ranAt.textContent = this.shortTime.format(at);
    const ranAt = l10n.t('Run on {0}', this.exactTime.format(at));
    this.summary.title = [source, ranAt, l10n.t('Show the whole statement')].join('\n');
    this.preview.textContent = toOneLine(statement);
    this.statement.textContent = statement;
    this.details.open = false;
  }

  private describeSource({ file, organization }: RunOrigin): string {
    const { locale } = this.options;
    if (!file) return l10n.t('Query panel');
    const { name, firstLine, lastLine } = file;
    const number = new Intl.NumberFormat(localeTag(locale), { useGrouping: false });
    const [first, last] = [number.format(firstLine), number.format(lastLine)];
    const source =
      firstLine === lastLine
        ? l10n.t('{0}, line {1}', name, first)
        : l10n.t('{0}, lines {1}–{2}', name, first, last);
    return [source, organization].join(' · ');
  }
}

function toOneLine(statement: string): string {
  const start = statement.trimStart().slice(0, 2 * MAX_PREVIEW_LENGTH);
  return start.replaceAll(/\s+/g, ' ').slice(0, MAX_PREVIEW_LENGTH);
}
