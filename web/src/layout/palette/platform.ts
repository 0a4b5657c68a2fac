/** Whether the command key takes the place of Control. */
export const isMac = /mac|iphone|ipad/i.test(navigator.platform);
