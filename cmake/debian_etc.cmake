# Run by CPack before it builds the packages: settings in /etc belong to perigee-server alone, and an installed tree
# elsewhere has no /etc.
file(GLOB settings ${CPACK_PERIGEE_SETTINGS}/*.toml)
file(COPY ${settings} DESTINATION ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/server/etc/perigee
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
