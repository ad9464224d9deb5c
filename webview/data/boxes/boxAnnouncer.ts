import type { BoxStrings } from '../../../src/shared/data/boxStrings';
import type { BoxAct, EditedBox } from '../../../src/shared/data/boxes';
import { fillPlaceholders } from '../../ui/fillPlaceholders';
import type { Size } from './boxGeometry';
import { describeBox } from './describeBox';
import { formatLabel } from './formatLabel';

interface AnnouncerOptions {
  readonly strings: BoxStrings;
  readonly locale: string;
  readonly announce: (text: string) => void;
}

/** Announces changes to boxes to screen readers. */
export class BoxAnnouncer {
  private announcedId: string | undefined;

  constructor(private readonly options: AnnouncerOptions) {}

  /**
   * Announces the selected box.
   * @param isThere true if the focus is on the image; screen readers don't announce its boxes on
   *   their own
   */
  selected(box: EditedBox | undefined, imageSize: Size, isThere: boolean): void {
    if (this.announcedId === box?.id) return;
    this.announcedId = box?.id;
    if (!box || !isThere) return;
    const { strings, locale, announce } = this.options;
    announce(fillPlaceholders(strings.selected, describeBox(box, imageSize, strings, locale)));
  }

  acted(act: BoxAct, box: EditedBox | undefined): void {
    const { announce, strings } = this.options;
    const label = act.kind === 'add' ? act.label : box?.label;
    if (label === undefined) return;
    if (act.kind === 'add') announce(fillPlaceholders(strings.added, formatLabel(label)));
    if (act.kind === 'delete') announce(fillPlaceholders(strings.deleted, formatLabel(label)));
  }

  drawing(): void {
    this.options.announce(this.options.strings.drawing);
  }
}
