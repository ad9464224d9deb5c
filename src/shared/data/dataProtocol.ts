import { boxMessages } from './boxes';
import { itemMessages } from './items';
import { panelMessages } from './dataPanel';

/** Everything that is said between a data panel and its host, part by part. */
export const dataProtocol = { ...panelMessages, ...itemMessages, ...boxMessages } as const;

export type DataProtocol = typeof dataProtocol;
