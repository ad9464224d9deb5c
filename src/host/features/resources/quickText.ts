import { displayText } from '../../../core/model/displayText';

/** Remote text for a list to pick from, where `$(` would begin an icon. */
export function quickText(text: string): string {
  return displayText(text).replaceAll('$(', '\\$(');
}
