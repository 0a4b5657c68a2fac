import { openWebKit } from './webkit.ts';
import { sizes } from './chromium.ts';
import { walkThrough } from './walks.ts';

walkThrough('webkit', openWebKit, sizes.desktop);
