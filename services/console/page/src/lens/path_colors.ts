export const pathColors = { believed: '#7fb2ff', server: '#f2b66d', error: '#f2757a' };
