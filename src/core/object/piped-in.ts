/** How the way out of a fault has manifests read that another program writes: it knows no verb, and any of them will do. */
export const PIPED_IN = '| minutehand VERB -f -';
