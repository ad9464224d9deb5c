import * as l10n from '@vscode/l10n';
import type { Proposals, ProposalView } from '../../../src/shared/data/proposals';
import { element, focusWhenHere, toggleButton, toolButton } from '../../ui/elements';
import { formatLabel } from '../boxes/boxLabels';
import type { DataContext } from '../dataContext';
import { type Decision, Decisions, type ShownImage } from './decisions';
import { formatPrediction } from './modelTrial';
import { ReviewThumbnail } from './reviewThumbnail';

interface ReviewOptions {
  /**
   * Called when proposals are shown in place of the list of images; must move focus to the review.
   */
  readonly opened: () => void;
  readonly closed: () => void;
}

/** A proposal and its elements on the page. */
interface Row {
  readonly image: string;
  readonly proposal: ProposalView;
  readonly show: (decision: Decision | undefined) => void;
  /** Buttons for the decisions. */
  readonly buttons: Readonly<Record<Decision, HTMLButtonElement>>;
}

/**
 * The review of labels that a model proposes. The user accepts or rejects each label; accepted
 * labels are saved.
 */
export class Review {
  readonly element = element('section', { class: 'review' });
  private readonly list = element('div', { class: 'review-list' });
  private readonly heading = element('h2', { class: 'detail-name' });
  private readonly counts = element('span', { class: 'review-counts', role: 'status' });
  private readonly slider = element('input', {
    type: 'range',
    min: '5',
    max: '99',
    step: '1',
    id: 'review-threshold',
  });
  private readonly percent = element('output', { for: 'review-threshold' });
  private readonly save: HTMLButtonElement;
  private readonly closing: HTMLButtonElement;
  private decisions: Decisions | undefined;
  private rows: readonly Row[] = [];
  private readonly thumbnails = new Map<string, ReviewThumbnail>();
  private isSaving = false;
  private lastFocus: HTMLElement | undefined;

  constructor(
    private readonly context: DataContext,
    private readonly options: ReviewOptions,
  ) {
    const { host, onDidChangeProposals } = context;
    this.save = toolButton(l10n.t('Save Accepted'), () => this.saveAccepted(), {
      focusKey: 'save proposals',
      class: 'review-save',
    });
    this.closing = toolButton(l10n.t('Close Review'), () => this.close(), {
      focusKey: 'close review',
    });
    this.slider.title = l10n.t('Show proposals with at least this confidence');
    this.slider.addEventListener('input', () => {
      this.decisions?.setThreshold(this.slider.valueAsNumber / 100);
      this.draw();
    });
    this.element.append(
      element(
        'div',
        { class: 'detail-bar', role: 'group', 'aria-label': l10n.t('Review') },
        this.closing,
        this.heading,
        element('label', { for: 'review-threshold' }, l10n.t('Confidence')),
        this.slider,
        this.percent,
        toolButton(l10n.t('Accept All'), () => this.acceptAll(), {
          focusKey: 'accept all',
          hint: l10n.t('Accept all visible proposals that are not rejected'),
        }),
        this.save,
      ),
      element(
        'p',
        { class: 'review-note' },
        this.counts,
        element(
          'span',
          { class: 'faint' },
          l10n.t(
            'Press A to accept or R to reject a proposal. Use the arrow keys to move between proposals.',
          ),
        ),
      ),
      this.list,
    );
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => this.keyPressed(event));
    this.element.addEventListener('focusin', ({ target }) => {
      this.lastFocus = target instanceof HTMLElement ? target : undefined;
    });
    // A VS Code dialog takes focus away from the page.
    window.addEventListener('focus', () => this.focusAgain());
    onDidChangeProposals((known) => this.show(known));
    void host
      .request('openProposals', undefined)
      .then(({ proposals: open }) => open && this.show(open))
      .catch(() => undefined);
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Blocks keyboard and pointer input while another element covers the review. */
  setInert(isInert: boolean): void {
    this.element.inert = isInert;
  }

  focus(): void {
    focusWhenHere(() => (this.rows[0]?.buttons.accepted ?? this.slider).focus());
  }

  /** Restores focus to the element that had it before keyboard focus left the page. */
  private focusAgain(): void {
    if (!this.element.checkVisibility() || document.activeElement !== document.body) return;
    if (this.lastFocus?.isConnected) this.lastFocus.focus({ preventScroll: true });
    else this.focus();
  }

  /** Shows all proposals or the remaining proposals. Closes the review if none remain. */
  private show(proposals: Proposals): void {
    const { decisions } = this;
    this.isSaving = false;
    if (decisions?.run === proposals.run) decisions.update(proposals);
    else if (proposals.images.length > 0) this.decisions = this.makeDecisions(proposals);
    const wasOpen = this.isOpen;
    if (proposals.images.length === 0) {
      this.end();
      return;
    }
    const model = formatLabel(proposals.model);
    this.heading.textContent = l10n.t('Labels proposed by {0}', model);
    this.element.setAttribute('aria-label', this.heading.textContent);
    this.slider.value = String(Math.round((this.decisions?.threshold ?? 0) * 100));
    this.element.hidden = false;
    this.draw();
    if (!wasOpen) this.options.opened();
    else if (!this.element.contains(document.activeElement)) this.focus();
  }

  private makeDecisions(proposals: Proposals): Decisions {
    const { run } = proposals;
    return new Decisions(proposals, (decisions) =>
      this.context.host.send('decideProposals', { run, decisions }),
    );
  }

  private end(): void {
    if (!this.isOpen) return;
    this.element.hidden = true;
    this.decisions = undefined;
    for (const thumbnail of this.thumbnails.values()) thumbnail.dispose();
    this.thumbnails.clear();
    this.rows = [];
    this.list.replaceChildren();
    this.options.closed();
  }

  private close(): void {
    if (this.isSaving) return;
    const unsaved = this.countAccepted();
    this.context.host.send('closeProposals', { unsaved });
  }

  private saveAccepted(): void {
    const { decisions } = this;
    if (!decisions || this.isSaving || this.countAccepted() === 0) return;
    this.isSaving = true;
    this.present();
    const { run, accepted } = decisions;
    this.context.host.send('saveProposals', { run, accepted });
  }

  private acceptAll(): void {
    this.decisions?.acceptAll();
    this.showDecisions();
  }

  /** Draws the images with the proposals above the threshold. */
  private draw(): void {
    const images = this.decisions?.images ?? [];
    const rows: Row[] = [];
    const cards = images.map((image) => this.card(image, rows));
    this.rows = rows;
    this.list.replaceChildren(...cards);
    if (cards.length === 0) {
      this.list.append(
        element(
          'p',
          { class: 'faint' },
          l10n.t('No proposals have at least this confidence. Lower the value to see more.'),
        ),
      );
    }
    const percent = new Intl.NumberFormat(this.context.locale, { style: 'percent' });
    this.percent.textContent = percent.format(this.decisions?.threshold ?? 0);
    this.showDecisions();
  }

  private card(image: ShownImage, rows: Row[]): HTMLElement {
    const name = formatLabel(image.name);
    const items = image.shown.map((proposal) => {
      const { row, item } = this.row(image, name, proposal);
      rows.push(row);
      return item;
    });
    return element(
      'section',
      { class: 'review-card', 'aria-label': name },
      this.thumbnail(image.id, name).element,
      element(
        'div',
        { class: 'review-labels' },
        element('h3', { dir: 'auto' }, name),
        element('ul', {}, ...items),
      ),
    );
  }

  private row(
    { id: image }: ShownImage,
    name: string,
    proposal: ProposalView,
  ): { readonly row: Row; readonly item: HTMLElement } {
    const text = formatPrediction(proposal, this.context.locale);
    const key = `${String(proposal.id)} ${image}`;
    const button = (decision: Decision, label: string, named: string) => {
      const made = toggleButton(
        label,
        (on) => this.decide(image, proposal.id, on ? decision : undefined),
        { focusKey: `${decision} ${key}` },
      );
      made.element.setAttribute('aria-label', named);
      return made;
    };
    const accept = button('accepted', l10n.t('Accept'), l10n.t('Accept {0} on {1}', text, name));
    const reject = button('rejected', l10n.t('Reject'), l10n.t('Reject {0} on {1}', text, name));
    const item = element(
      'li',
      { class: 'review-row' },
      element('span', { class: 'review-label', dir: 'auto' }, text),
      accept.element,
      reject.element,
    );
    const row: Row = {
      image,
      proposal,
      buttons: { accepted: accept.element, rejected: reject.element },
      show: (decision) => {
        accept.setOn(decision === 'accepted');
        reject.setOn(decision === 'rejected');
        item.dataset.decision = decision ?? 'open';
      },
    };
    return { row, item };
  }

  private thumbnail(id: string, name: string): ReviewThumbnail {
    const known = this.thumbnails.get(id);
    if (known) return known;
    const made = new ReviewThumbnail(
      { id, name },
      async (image, signal) =>
        (await this.context.host.request('thumbnail', { id: image }, signal)).bytes,
    );
    this.thumbnails.set(id, made);
    return made;
  }

  private decide(image: string, proposal: number, decision: Decision | undefined): void {
    this.decisions?.decide(image, proposal, decision);
    this.showDecisions();
  }

  private showDecisions(): void {
    const { decisions } = this;
    if (!decisions) return;
    for (const { image, proposal, show } of this.rows) show(decisions.of(image, proposal.id));
    for (const { id, shown } of decisions.images) {
      const remaining = shown.filter((proposal) => decisions.of(id, proposal.id) !== 'rejected');
      this.thumbnails
        .get(id)
        ?.show(
          remaining.flatMap(({ id: number, label, confidence, box }) =>
            box ? [{ id: String(number), label, confidence, ...box }] : [],
          ),
        );
    }
    this.present();
  }

  private present(): void {
    const { locale } = this.context;
    const number = (value: number): string => value.toLocaleString(locale);
    const rejected = this.rows.filter(
      ({ image, proposal }) => this.decisions?.of(image, proposal.id) === 'rejected',
    ).length;
    const accepted = this.countAccepted();
    const numbers = [this.rows.length, accepted, rejected].map(number);
    const counts = l10n.t('Proposals: {0}, accepted: {1}, rejected: {2}', ...numbers);
    if (this.counts.textContent !== counts) this.counts.textContent = counts;
    const save = l10n.t('Save {0} Accepted', number(accepted));
    this.save.textContent = this.isSaving
      ? l10n.t('Saving…')
      : accepted === 0
        ? l10n.t('Save Accepted')
        : save;
    // Use `aria-disabled`, because a disabled button would lose focus.
    this.closing.setAttribute('aria-disabled', String(this.isSaving));
    this.save.setAttribute('aria-disabled', String(accepted === 0 || this.isSaving));
  }

  private countAccepted(): number {
    return (this.decisions?.accepted ?? []).reduce(
      (sum, { proposals }) => sum + proposals.length,
      0,
    );
  }

  private keyPressed(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (ctrlKey || metaKey || altKey) return;
    if (key === 'Escape') this.close();
    else if (target === this.slider || !this.pressed(key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Handles a key for the proposal whose buttons have focus.
   * @returns true if the key was handled
   */
  private pressed(key: string): boolean {
    const at = this.rows.findIndex(({ buttons }) =>
      Object.values(buttons).some((button) => button === document.activeElement),
    );
    const row = this.rows[at];
    if (!row) return false;
    const isRejecting = row.buttons.rejected === document.activeElement;
    switch (key) {
      case 'a':
      case 'A':
        this.decide(row.image, row.proposal.id, 'accepted');
        return this.moveTo(at + 1, 'accepted');
      case 'r':
      case 'R':
        this.decide(row.image, row.proposal.id, 'rejected');
        return this.moveTo(at + 1, 'accepted');
      case 'ArrowDown':
        return this.moveTo(at + 1, isRejecting ? 'rejected' : 'accepted');
      case 'ArrowUp':
        return this.moveTo(at - 1, isRejecting ? 'rejected' : 'accepted');
      case 'ArrowLeft':
        return this.moveTo(at, 'accepted');
      case 'ArrowRight':
        return this.moveTo(at, 'rejected');
      case 'Home':
        return this.moveTo(0, 'accepted');
      case 'End':
        return this.moveTo(this.rows.length - 1, 'accepted');
      default:
        return false;
    }
  }

  private moveTo(at: number, decision: Decision): boolean {
    this.rows[at]?.buttons[decision].focus();
    return true;
  }
}
