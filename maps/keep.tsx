<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="keep" tilewidth="16" tileheight="16" tilecount="16" columns="16">
 <image source="keep-tiles.png" width="256" height="16"/>
  <tile id="6">
   <properties>
    <property name="wall" type="bool" value="true"/>
   </properties>
  </tile>
  <tile id="8" type="swamp"/>
  <tile id="9" type="swamp"/>
  <tile id="11">
   <properties>
    <property name="height" type="float" value="1.5"/>
   </properties>
  </tile>
  <tile id="12">
   <properties>
    <property name="height" type="float" value="3"/>
   </properties>
  </tile>
  <tile id="13">
   <properties>
    <property name="height" type="float" value="4.5"/>
   </properties>
  </tile>
  <tile id="14">
   <properties>
    <property name="height" type="float" value="0.8"/>
   </properties>
  </tile>
</tileset>
