/**
 * The relay's URL for one gateway: RELAY?gateway=IP:PORT, after what the relay's own query has, such
 * as a token. `schemes`: as {'http:': 'ws:'}.
 */
export function relayUrl(relay, gateway, schemes) {
    const url = new URL(relay, globalThis.location?.href);
    url.protocol = schemes[url.protocol] ?? url.protocol;
    url.search = `${url.search === '' ? '?' : `${url.search}&`}gateway=${gateway.text}`;
    return url;
}
